// SPDX-License-Identifier: BSD-2-Clause
#include "master/work_sharing.hpp"

#include <algorithm>
#include <numeric>

namespace tutti::master {
namespace {

// To begin and end a job of all threads costs about as much.
constexpr double seconds_per_job = 1e-6;
// What a phase must gain to be shared out.
constexpr double least_gain = 0.1;

}  // namespace

std::vector<Shares> share_work(std::span<const Phase> phases,
                               std::span<const double> seconds_per_step, std::size_t threads) {
  std::vector<Shares> all(phases.size());
  if (seconds_per_step.empty()) return all;
  const auto cost_of = [&](const Unit& unit) {
    return std::accumulate(unit.components.begin(), unit.components.end(), 0.0,
                           [&](double sum, std::uint32_t c) { return sum + seconds_per_step[c]; });
  };
  for (std::size_t p = 0; p < phases.size(); ++p) {
    // The costliest first, each to whoever has the least to do.
    std::vector<Unit> units = phases[p].units;
    std::stable_sort(units.begin(), units.end(),
                     [&](const Unit& a, const Unit& b) { return cost_of(a) > cost_of(b); });
    Shares shares(threads);
    std::vector<double> loads(threads);
    for (const Unit& unit : units) {
      const auto least =
          static_cast<std::size_t>(std::min_element(loads.begin(), loads.end()) - loads.begin());
      shares[least].push_back(unit);
      loads[least] += cost_of(unit);
    }
    const double alone = std::accumulate(loads.begin(), loads.end(), 0.0);
    const double together = *std::max_element(loads.begin(), loads.end()) + seconds_per_job;
    if (together < (1 - least_gain) * alone) all[p] = std::move(shares);
  }
  return all;
}

}  // namespace tutti::master
