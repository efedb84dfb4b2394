// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tutti::solvers {

/// Where a matrix can differ from zero, by columns: those of column j are in the rows
/// row_index[column_start[j]] to row_index[column_start[j + 1] - 1], ascending.
struct SparsityPattern {
  std::size_t row_count = 0;
  std::vector<std::int64_t> column_start;
  std::vector<std::int64_t> row_index;

  std::size_t column_count() const { return column_start.size() - 1; }
  std::size_t entry_count() const { return row_index.size(); }
  std::span<const std::int64_t> rows_of(std::size_t column) const {
    const auto first = static_cast<std::size_t>(column_start[column]);
    const auto last = static_cast<std::size_t>(column_start[column + 1]);
    return std::span(row_index).subspan(first, last - first);
  }
};

/// From the columns that each row depends on; the diagonal is part of it unless told otherwise.
/// @pre every column number is below rows.size(): the matrix is square
SparsityPattern pattern_of_rows(std::span<const std::vector<std::size_t>> rows,
                                bool with_diagonal = true);

/// Groups of columns no two of which have a row in common: one difference of the right-hand side
/// gives all columns of a group (A. R. Curtis, M. J. D. Powell, J. K. Reid, On the estimation of
/// sparse Jacobian matrices, J. Inst. Maths Applics 13, 1974). Greedy, so not always the fewest.
std::vector<std::vector<std::size_t>> color_columns(const SparsityPattern& pattern);

}  // namespace tutti::solvers
