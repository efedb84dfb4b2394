// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

namespace tutti::solvers {

/// The first component that is not finite; nothing: all are finite.
inline std::optional<std::size_t> first_not_finite(std::span<const double> values) {
  const auto bad = std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); });
  if (bad == values.end()) return {};
  return static_cast<std::size_t>(bad - values.begin());
}
inline bool has_only_finite(std::span<const double> values) { return !first_not_finite(values); }

/// The component with the largest error. @pre !errors.empty()
inline std::size_t worst_component(std::span<const double> errors) {
  const auto worst = std::ranges::max_element(
      errors, [](double a, double b) { return std::abs(a) < std::abs(b); });
  return static_cast<std::size_t>(worst - errors.begin());
}

}  // namespace tutti::solvers
