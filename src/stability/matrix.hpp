// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

/// Analysis of coupled linear systems: no FMU, no file, no time loop. Eigen is used only in the
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

/// The entries of a matrix that are not zero, sorted by row.
struct SparseMatrix {
  struct Entry {
    std::size_t row = 0, column = 0;
    double value = 0;
  };
  std::size_t rows = 0, columns = 0;
  std::vector<Entry> entries;

  SparseMatrix() = default;
  SparseMatrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count) {}
  /// The nonzero entries of a full matrix.
  SparseMatrix(const Matrix& full) : rows(full.rows), columns(full.columns) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        if (full(i, j) != 0) entries.push_back({i, j, full(i, j)});
  }
};

}  // namespace tutti::stability
