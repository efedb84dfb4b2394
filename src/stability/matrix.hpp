// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

/// How couplings of linear systems behave: no FMU, no file, no time loop. Eigen stays in the
/// sources.
namespace tutti::stability {

/// A dense matrix, row by row.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;

  Matrix() = default;
  Matrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), values(row_count * column_count) {}
  Matrix(std::size_t row_count, std::size_t column_count, std::vector<double> entries)
      : rows(row_count), columns(column_count), values(std::move(entries)) {}

  double& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
};

}  // namespace tutti::stability
