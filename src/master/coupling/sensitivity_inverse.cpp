// SPDX-License-Identifier: BSD-2-Clause
#include "master/coupling/sensitivity_inverse.hpp"

#include <cmath>
#include <numeric>

#include "master/free_loop.hpp"
#include "solvers/linear/linear_system.hpp"

namespace tutti::master {

void SensitivityInverse::set_identity(std::size_t n) {
  rows_.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) rows_[i * n + i] = 1;
}

std::vector<double> SensitivityInverse::take(InterfaceProblem& problem, std::span<const double> x,
                                             std::span<const double> result) {
  const std::size_t n = x.size();
  std::vector<solvers::Entry> entries;
  for (std::size_t i = 0; i < n; ++i) entries.push_back({i, i, 1});
  problem.sensitivities(x, result, [&](std::size_t row, std::size_t column, double value) {
    if (value != 0) entries.push_back({row, column, -value});
  });
  const solvers::LinearSystem system(n, entries);
  std::vector<double> unit(n), column(n);
  rows_.resize(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    unit[j] = 1;
    system.solve(unit, column);
    unit[j] = 0;
    for (std::size_t i = 0; i < n; ++i) rows_[i * n + j] = column[i];
  }
  return system.free_direction(precision_of_gains);
}

void SensitivityInverse::multiply(std::span<const double> v, std::vector<double>& product) const {
  const std::size_t n = v.size();
  product.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    product[i] = std::inner_product(v.begin(), v.end(), rows().subspan(i * n).begin(), 0.0);
}

void SensitivityInverse::update(std::span<const double> d, std::span<const double> q) {
  const std::size_t n = d.size();
  multiply(q, moved_);
  const double scale = std::inner_product(d.begin(), d.end(), moved_.begin(), 0.0);
  if (!(std::abs(scale) > 0) || !std::isfinite(scale)) return;
  row_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) row_[j] += d[i] * rows_[i * n + j];
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = (d[i] - moved_[i]) / scale;
    for (std::size_t j = 0; j < n; ++j) rows_[i * n + j] += weight * row_[j];
  }
}

}  // namespace tutti::master
