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
  /// The rate by which its states are scaled.
  double rate(double duration) const;
  Dense a(double duration) const;
  Eigen::VectorXd b(double duration) const;
};

/// Pairs of conjugates, and of real poles that are close to each other.
std::vector<Factor> factors_of(std::vector<Complex> poles, double duration);

/// By sample, the states of all factors with b as input.
Dense states_over(const std::vector<Factor>& factors, const StepResponses& responses);

/// Candidates for the poles of a system with these responses, in 1/s: rather too many than too few.
/// Of a pair, the one above the real axis.
std::vector<Complex> find_poles(const StepResponses& responses);

/// A system with few states from the separate fits of the responses.
///
/// Each factor appears once, if C, B and D can then be fitted to all responses together. Otherwise
/// each input has its own copy of each factor; of the copies with similar rates, the directions
/// with the largest effect on the outputs are kept (balanced over a few samples), as few as
/// possible.
/// @param coefficients by pair of input and output (columns): D, then those of the states
/// @param weights by sample and pair
/// @param allowed the error up to which directions may be dropped
ResponseFit realize(const std::vector<Factor>& factors, const Dense& coefficients,
                    const StepResponses& responses, const Dense& weights, double allowed);

}  // namespace tutti::stability
