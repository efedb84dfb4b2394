// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/sparsity.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tutti::solvers {
namespace {

using Rows = std::vector<std::vector<std::size_t>>;

void expect_no_shared_rows(const SparsityPattern& pattern) {
  std::size_t colored = 0;
  for (const auto& group : color_columns(pattern)) {
    std::set<std::int64_t> seen;
    for (const std::size_t column : group) {
      ++colored;
      for (const std::int64_t row : pattern.rows_of(column))
        EXPECT_TRUE(seen.insert(row).second) << "row " << row << " twice in one group";
    }
  }
  EXPECT_EQ(colored, pattern.column_count());
}

Rows banded(std::size_t n, std::size_t width) {
  Rows rows(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i > width ? i - width : 0; j <= std::min(i + width, n - 1); ++j)
      rows[i].push_back(j);
  return rows;
}

TEST(Sparsity, ATridiagonalMatrixNeedsThreeGroups) {
  const SparsityPattern pattern = pattern_of_rows(banded(50, 1));
  EXPECT_EQ(pattern.entry_count(), 3u * 50 - 2);
  EXPECT_EQ(color_columns(pattern).size(), 3u);
  expect_no_shared_rows(pattern);
}

TEST(Sparsity, TheDiagonalIsAlwaysThere) {
  const SparsityPattern pattern = pattern_of_rows(Rows(4));
  EXPECT_EQ(pattern.entry_count(), 4u);
  EXPECT_EQ(color_columns(pattern).size(), 1u);
}

TEST(Sparsity, ADenseRowSeparatesAllColumns) {
  Rows rows(5);
  rows[2] = {0, 1, 2, 3, 4};
  expect_no_shared_rows(pattern_of_rows(rows));
  EXPECT_EQ(color_columns(pattern_of_rows(rows)).size(), 5u);
}

TEST(Sparsity, AnArrowMatrixIsColoredAlthoughItsOrderIsBad) {
  Rows rows(20);
  for (std::size_t i = 0; i < 20; ++i) rows[i] = {0, i};
  expect_no_shared_rows(pattern_of_rows(rows));
  EXPECT_EQ(color_columns(pattern_of_rows(rows)).size(), 2u);
}

TEST(Sparsity, OneUnknownIsListedOnceHoweverOftenItIsNamed) {
  EXPECT_EQ(pattern_of_rows(Rows{{0, 0, 1}, {1, 1}}).entry_count(), 3u);
}

}  // namespace
}  // namespace tutti::solvers
