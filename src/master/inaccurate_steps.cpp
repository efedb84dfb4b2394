// SPDX-License-Identifier: BSD-2-Clause
#include "master/inaccurate_steps.hpp"

#include <algorithm>
#include <limits>

#include "base/infinity.hpp"

namespace tutti::master {

double InaccurateSteps::limit(double t) {
  while (window_ < windows_.size() && windows_[window_].to <= t) ++window_;
  if (window_ == windows_.size()) return std::numeric_limits<double>::infinity();
  const auto& window = windows_[window_];
  return t < window.from ? window.from : t + std::max(window.max, minimum_);
}

void InaccurateSteps::add(double t, double h, double error, bool jumps) {
  double part = h / span_;
  // Where a rate is not known, a short step is as good as its length.
  const bool is_short = h <= late_ && (jumps || rate_ == infinity);
  if (!is_short) part = std::max(part, std::min(1.0, rate_ * h));
  sum_ += error * part;
  in_a_row_ = error > far_off ? in_a_row_ + 1 : 0;
  if (steps_.size() < most_steps) steps_.push_back({t, h, error * part});
}

InaccurateSteps::Windows InaccurateSteps::next() const {
  constexpr double wanted = 0.5;       // of the sum that is allowed
  constexpr double shortest = 1e-3;    // of the step before: so many steps a window costs
  constexpr double negligible = 0.01;  // of the share of a step in what is allowed
  const double share = wanted * most / static_cast<double>(std::max<std::size_t>(1, steps_.size()));
  Windows windows = windows_;
  for (const Step& step : steps_) {
    if (step.effect < negligible * share) continue;
    // The step itself and its neighbours: times change a little from run to run.
    const double part = std::clamp(share / step.effect, shortest, 0.5);
    windows.push_back({step.t - step.h, step.t + 2 * step.h, part * step.h});
  }
  return merged(windows);
}

InaccurateSteps::Windows merged(const InaccurateSteps::Windows& windows) {
  std::vector<double> times;
  for (const auto& window : windows) times.insert(times.end(), {window.from, window.to});
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  InaccurateSteps::Windows sorted = windows, result;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.from < b.from; });
  std::size_t first = 0;  // those before it have ended
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    double shortest = std::numeric_limits<double>::infinity();
    while (first < sorted.size() && sorted[first].to <= times[k]) ++first;
    for (std::size_t w = first; w < sorted.size() && sorted[w].from <= times[k]; ++w)
      if (sorted[w].to > times[k]) shortest = std::min(shortest, sorted[w].max);
    if (shortest == std::numeric_limits<double>::infinity()) continue;
    if (!result.empty() && result.back().to == times[k] && result.back().max == shortest)
      result.back().to = times[k + 1];
    else
      result.push_back({times[k], times[k + 1], shortest});
  }
  return result;
}

}  // namespace tutti::master
