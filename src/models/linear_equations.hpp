// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "solvers/linear/linear_system.hpp"

namespace tutti::models {

/// A real scalar: a variable of the description and an element of it.
struct RealElement {
  std::int32_t variable = 0;
  std::uint64_t element = 0;
  auto operator<=>(const RealElement&) const = default;
};

/// The inputs and outputs of a linear model, and the values of the inputs at its point.
struct LinearQuestion {
  std::vector<RealElement> inputs, outputs;
  std::vector<double> u;
};

/// Around a point: x' = dx + A (x - x0) + B (u - u0), y = y0 + C (x - x0) + D (u - u0).
struct LinearEquations {
  struct State {
    std::string name, unit;
    std::int32_t variable = -1;  ///< of the description; -1: unknown
    double value = 0, derivative = 0;
  };
  std::vector<State> states;
  std::vector<double> y;                   ///< the outputs at the point
  std::vector<solvers::Entry> a, b, c, d;  ///< without zeros, one entry for each place
  bool is_exact = false;                   ///< from directional derivatives, not from differences
  bool is_at_event = false;                ///< an event indicator is zero
  std::vector<std::string> notes;
};

/// An instance whose equations can be evaluated at the present point.
class HasEquations {
 public:
  virtual ~HasEquations() = default;
  /// Restores the point afterwards. @pre initialized, and after a step at its end
  /// @throws Error if values are not finite, or the model rejects the point
  virtual LinearEquations linearize(const LinearQuestion& question) = 0;
};

}  // namespace tutti::models
