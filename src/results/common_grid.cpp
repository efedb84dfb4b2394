// SPDX-License-Identifier: BSD-2-Clause
#include "results/common_grid.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::results {
namespace {

/// Relative, so that the first microseconds of a run over years stay apart.
bool is_same_time(double a, double b) {
  constexpr double relative = 1e-9;  // event times of different tools, files of 10 digits
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

}  // namespace

std::vector<Knot> knots_of(const std::vector<double>& times) {
  std::vector<Knot> knots;
  knots.reserve(times.size());
  for (std::uint32_t row = 0; row < times.size(); ++row) {
    if (knots.empty() || times[row] != knots.back().time) knots.push_back({times[row], row, row});
    knots.back().last = row;
  }
  return knots;
}

std::vector<GridPoint> common_grid(const std::vector<Knot>& a, const std::vector<Knot>& b) {
  std::vector<GridPoint> grid;
  grid.reserve(std::max(a.size(), b.size()));
  std::uint32_t i = 0, j = 0;  // the next knot of each
  while (i < a.size() && j < b.size()) {
    const double at = a[i].time, bt = b[j].time;
    if (is_same_time(at, bt)) {
      grid.push_back({std::min(at, bt), {i++, true}, {j++, true}});
    } else if (at < bt) {
      if (j > 0) grid.push_back({at, {i, true}, {j - 1, false}});
      ++i;
    } else {
      if (i > 0) grid.push_back({bt, {i - 1, false}, {j, true}});
      ++j;
    }
  }
  return grid;
}

}  // namespace tutti::results
