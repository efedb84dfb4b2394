// SPDX-License-Identifier: BSD-2-Clause
#include "studies/fit/confidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solvers/linear/least_squares.hpp"

namespace tutti::studies {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// Of the singular values of the Jacobian with columns of length 1: below it, the errors of
/// differences are larger.
constexpr double smallest_singular = 1e-5;
constexpr double noticeable = 0.05;  // a component of a vector of length 1

double length_of(const std::vector<double>& column) {
  return std::sqrt(std::inner_product(column.begin(), column.end(), column.begin(), 0.0));
}

/// Singular values and vectors of the free columns, each divided by its length.
struct FreePart {
  std::vector<std::size_t> parameters;  // that have an effect
  std::vector<double> lengths;
  solvers::SingularValues svd;

  std::size_t size() const { return parameters.size(); }
  double vector(std::size_t k, std::size_t i) const { return svd.vectors[k * size() + i]; }
  bool is_null(std::size_t k) const {
    return !(svd.values[k] > smallest_singular * svd.values.front());
  }
};

FreePart free_part(const std::vector<std::vector<double>>& columns,
                   const std::vector<bool>& is_free, Confidence& result) {
  // Parameters are scaled, so a column that is 1e-12 times the largest has no effect.
  double largest = 0;
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (is_free[j]) largest = std::max(largest, length_of(columns[j]));
  FreePart part;
  std::vector<double> matrix;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!is_free[j]) continue;
    const double length = length_of(columns[j]);
    if (!(length > 1e-12 * largest)) {
      result.unidentifiable.push_back({j});
      continue;
    }
    part.parameters.push_back(j);
    part.lengths.push_back(length);
    for (const double value : columns[j]) matrix.push_back(value / length);
  }
  if (part.size() > 0) part.svd = solvers::singular_values(matrix, part.size());
  return part;
}

/// Adds the groups of the vectors without effect, and marks their members.
std::vector<bool> find_unidentifiable(const FreePart& part, Confidence& result) {
  std::vector<bool> is_unknown(part.size(), false);
  for (std::size_t k = 0; k < part.size(); ++k) {
    if (!part.is_null(k)) continue;
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (std::abs(part.vector(k, i)) < noticeable) continue;
      group.push_back(part.parameters[i]);
      is_unknown[i] = true;
    }
    result.unidentifiable.push_back(group);
  }
  return is_unknown;
}

}  // namespace

Confidence confidence_of(const std::vector<std::vector<double>>& columns, std::size_t residuals,
                         double sum_of_squares, const std::vector<bool>& is_free) {
  const std::size_t n = columns.size();
  const auto free = static_cast<std::size_t>(std::ranges::count(is_free, true));
  Confidence result;
  result.standard_errors.assign(n, unknown);
  result.half_widths.assign(n, unknown);
  result.correlations.assign(n, std::vector<double>(n, unknown));
  const FreePart part = free_part(columns, is_free, result);
  const std::vector<bool> is_unknown = find_unidentifiable(part, result);
  if (residuals <= free) return result;
  result.degrees_of_freedom = residuals - free;
  const auto freedom = static_cast<double>(result.degrees_of_freedom);
  result.deviation = std::sqrt(sum_of_squares / freedom);
  const double quantile = student_quantile(0.95, freedom);

  // (J^T J)^-1 = V diag(1/s^2) V^T, of scaled columns.
  const auto inverse = [&part](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < part.size(); ++k)
      if (!part.is_null(k))
        sum += part.vector(k, i) * part.vector(k, j) / (part.svd.values[k] * part.svd.values[k]);
    return sum;
  };
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (is_unknown[i]) continue;
    const std::size_t row = part.parameters[i];
    const double error = result.deviation * std::sqrt(inverse(i, i)) / part.lengths[i];
    result.standard_errors[row] = error;
    result.half_widths[row] = quantile * error;
    for (std::size_t j = 0; j < part.size(); ++j)
      if (!is_unknown[j])
        result.correlations[row][part.parameters[j]] =
            i == j ? 1 : inverse(i, j) / std::sqrt(inverse(i, i) * inverse(j, j));
  }
  return result;
}

}  // namespace tutti::studies
