// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/sparsity.hpp"

#include <algorithm>

namespace tutti {

SparsityPattern pattern_of_rows(std::span<const std::vector<std::size_t>> rows,
                                bool with_diagonal) {
  std::vector<std::vector<std::int64_t>> columns(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (with_diagonal) columns[row].push_back(static_cast<std::int64_t>(row));
    for (const std::size_t column : rows[row])
      columns[column].push_back(static_cast<std::int64_t>(row));
  }
  SparsityPattern pattern;
  pattern.row_count = rows.size();
  pattern.column_start.push_back(0);
  for (std::vector<std::int64_t>& column : columns) {
    std::ranges::sort(column);
    column.erase(std::unique(column.begin(), column.end()), column.end());
    pattern.row_index.insert(pattern.row_index.end(), column.begin(), column.end());
    pattern.column_start.push_back(static_cast<std::int64_t>(pattern.row_index.size()));
  }
  return pattern;
}

}  // namespace tutti

namespace tutti::solvers {

std::vector<std::vector<std::size_t>> color_columns(const SparsityPattern& pattern) {
  // Columns with many rows first: they are hardest to place.
  std::vector<std::size_t> order(pattern.column_count());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return pattern.rows_of(a).size() > pattern.rows_of(b).size();
  });

  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::vector<std::size_t>> groups_of_row(pattern.row_count);
  std::vector<std::size_t> taken_by;  // by which column, per group; no column has this number
  for (const std::size_t column : order) {
    for (const std::int64_t row : pattern.rows_of(column))
      for (const std::size_t group : groups_of_row[static_cast<std::size_t>(row)])
        taken_by[group] = column;
    std::size_t group = 0;
    while (group < groups.size() && taken_by[group] == column) ++group;
    if (group == groups.size()) {
      groups.emplace_back();
      taken_by.push_back(pattern.column_count());
    }
    groups[group].push_back(column);
    for (const std::int64_t row : pattern.rows_of(column))
      groups_of_row[static_cast<std::size_t>(row)].push_back(group);
  }
  return groups;
}

}  // namespace tutti::solvers
