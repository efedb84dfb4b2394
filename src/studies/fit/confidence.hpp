// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace tutti::studies {

/// The accuracy of the parameters of a fit by least squares, from the Jacobian J of
/// the residuals at the minimum: covariance s^2 (J^T J)^-1, s^2 = sum of squares / (m - n).
struct Confidence {
  std::size_t degrees_of_freedom = 0;  ///< m - n; 0: no statement is possible
  double deviation = 0;                ///< s, of the residuals
  /// By parameter, NaN where unknown: at a bound, not identifiable, no degrees of freedom.
  std::vector<double> standard_errors;
  /// Half of the width of the 95 % interval of Student's t distribution.
  std::vector<double> half_widths;
  std::vector<std::vector<double>> correlations;  ///< NaN where unknown
  /// Groups of parameters: the residuals do not change, to first order, if those of a group change
  /// together in some way. A group of one has no effect.
  std::vector<std::vector<std::size_t>> unidentifiable;
};

/// @param columns of J, by parameter
/// @param is_free false: the parameter is at a bound and counts as known
Confidence confidence_of(const std::vector<std::vector<double>>& columns, std::size_t residuals,
                         double sum_of_squares, const std::vector<bool>& is_free);

/// The t for which a variable of Student's distribution lies in -t .. t with this probability.
double student_quantile(double probability, double degrees_of_freedom);

}  // namespace tutti::studies
