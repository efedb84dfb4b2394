// SPDX-License-Identifier: BSD-2-Clause
#include "master/inaccurate_steps.hpp"

#include <algorithm>
#include <set>

namespace tutti::master {

double InaccurateSteps::limit_in_windows(double t) {
  while (window_ < windows_.size() && windows_[window_].to <= t) ++window_;
  if (window_ == windows_.size()) return infinity;
  const auto& window = windows_[window_];
  return t < window.from ? window.from : t + std::max(window.max, minimum_);
}

void InaccurateSteps::add(double t, double h, double error, bool jumps) {
  double part = h / span_;
  // Where a rate is unknown, the error of a step is proportional to its length.
  const bool is_short = h <= late_ && (jumps || rate_ == infinity);
  if (!is_short) part = std::max(part, std::min(1.0, rate_ * h));
  sum_ += error * part;
  in_a_row_ = error > far_off ? in_a_row_ + 1 : 0;
  if (steps_.size() < most_steps) steps_.push_back({t, h, error * part});
}

InaccurateSteps::Windows InaccurateSteps::next() const {
  constexpr double wanted = 0.5;       // of the allowed sum
  constexpr double shortest = 1e-3;    // of the previous step: bounds the steps per window
  constexpr double negligible = 0.01;  // of the share of a step in the allowed sum
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
  struct Edge {
    double t, max;
    bool opens;
  };
  std::vector<Edge> edges;
  for (const auto& window : windows) {
    edges.push_back({window.from, window.max, true});
    edges.push_back({window.to, window.max, false});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.t < b.t || (a.t == b.t && a.opens && !b.opens);
  });
  InaccurateSteps::Windows result;
  std::multiset<double> open;  // the maximum steps of the windows at this time
  double from = 0;
  for (const Edge& edge : edges) {
    if (!open.empty() && edge.t > from) {
      const double shortest = *open.begin();
      if (!result.empty() && result.back().to == from && result.back().max == shortest)
        result.back().to = edge.t;
      else
        result.push_back({from, edge.t, shortest});
    }
    from = edge.t;
    if (edge.opens)
      open.insert(edge.max);
    else
      open.erase(open.find(edge.max));
  }
  return result;
}

}  // namespace tutti::master
