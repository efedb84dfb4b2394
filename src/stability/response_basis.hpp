// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/dense.hpp"
#include "stability/response_fit.hpp"
#include "stability/spectrum.hpp"

namespace tutti::stability {

/// One or two poles as a real system x' = A x + b that starts at 0:
/// first order: pole `sum`; second order: the roots of l^2 - sum l + product.
struct Factor {
  bool second_order = false;
  double sum = 0, product = 0;

  std::size_t order() const { return second_order ? 2 : 1; }
  std::vector<Complex> poles() const;  ///< of a pair, one
  /// The rate that its states are scaled with.
  double rate(double duration) const;
  Dense a(double duration) const;
  Eigen::VectorXd b(double duration) const;
};

/// Pairs of conjugates, and of real poles that are close to each other.
std::vector<Factor> factors_of(std::vector<Complex> poles, double duration);

/// By sample, the states of all factors with b as input.
Dense states_over(const std::vector<Factor>& factors, const StepResponses& responses);

}  // namespace tutti::stability
