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
  // A full row needs a group for each column.
  std::vector<std::size_t> lengths(pattern.row_count);
  for (const std::int64_t row : pattern.row_index) ++lengths[static_cast<std::size_t>(row)];
  if (std::ranges::find(lengths, order.size()) != lengths.end()) {
    for (const std::size_t column : order) groups.push_back({column});
    return groups;
  }
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

Transposed transposed(const SparsityPattern& pattern) {
  Transposed result;
  SparsityPattern& to = result.pattern;
  to.row_count = pattern.column_count();
  to.column_start.assign(pattern.row_count + 1, 0);
  for (const std::int64_t row : pattern.row_index)
    ++to.column_start[static_cast<std::size_t>(row) + 1];
  for (std::size_t row = 0; row < pattern.row_count; ++row)
    to.column_start[row + 1] += to.column_start[row];
  to.row_index.resize(pattern.entry_count());
  result.place.resize(pattern.entry_count());
  std::vector<std::int64_t> next(to.column_start.begin(), to.column_start.end() - 1);
  std::size_t place = 0;
  for (std::size_t column = 0; column < pattern.column_count(); ++column)
    for (const std::int64_t row : pattern.rows_of(column)) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(row)]++);
      to.row_index[at] = static_cast<std::int64_t>(column);
      result.place[at] = place++;
    }
  return result;
}

}  // namespace tutti::solvers
