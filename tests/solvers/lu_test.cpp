// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/lu.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/linear/pencil.hpp"

namespace tutti::solvers {
namespace {

using Complex = std::complex<double>;

/// An arrow: dense first row and column, and the diagonal.
SparsityPattern arrow_pattern(std::size_t n) {
  std::vector<std::vector<std::size_t>> rows(n);
  for (std::size_t i = 1; i < n; ++i) rows[0].push_back(i), rows[i].push_back(0);
  return pattern_of_rows(rows);
}

template <class Scalar>
Scalar arrow_value(std::size_t row, std::size_t column, Scalar unit) {
  if (row == column) return unit * (3.0 + static_cast<double>(row));
  return Scalar(0.1) * static_cast<double>(row + 2 * column) - unit;
}

/// |A x - b| where x comes from the factors of A.
template <class Scalar>
double arrow_residual(std::size_t n, bool is_sparse, Scalar unit, int repeats) {
  const SparsityPattern pattern = arrow_pattern(n);
  Lu<Scalar> lu(n, is_sparse ? &pattern : nullptr);
  double worst = 0;
  for (int k = 0; k < repeats; ++k) {
    const Scalar factor = unit * static_cast<double>(1 + k);
    std::vector<Scalar> x(n), b(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = b[i] = Scalar(1.0 + static_cast<double>(i % 7));
    std::ranges::fill(lu.values(), Scalar{});
    for (std::size_t j = 0; j < n; ++j) {
      auto place = static_cast<std::size_t>(pattern.column_start[j]);
      for (const std::int64_t row : pattern.rows_of(j)) {
        const auto i = static_cast<std::size_t>(row);
        lu.values()[is_sparse ? place++ : j * n + i] = arrow_value(i, j, factor);
      }
    }
    EXPECT_TRUE(lu.factorize());
    lu.solve(x);
    for (std::size_t j = 0; j < n; ++j)
      for (const std::int64_t row : pattern.rows_of(j)) {
        const auto i = static_cast<std::size_t>(row);
        b[i] -= arrow_value(i, j, factor) * x[j];
      }
    for (const Scalar& rest : b) worst = std::max(worst, std::abs(rest));
  }
  return worst;
}

TEST(Lu, SolvesRealAndComplexSystemsDenseAndSparseWithOtherValues) {
  constexpr double roundoff = 1e-10;  // elements up to 20, 40 unknowns, some growth
  for (const bool is_sparse : {false, true}) {
    EXPECT_LT(arrow_residual<double>(40, is_sparse, 1.0, 3), roundoff);
    EXPECT_LT(arrow_residual<Complex>(40, is_sparse, Complex(1, 2), 3), roundoff);
  }
}

TEST(Lu, ReportsASingularMatrixAndRecovers) {
  const SparsityPattern diagonal = pattern_of_rows(std::vector<std::vector<std::size_t>>(3));
  Lu<double> lu(3, &diagonal);
  for (const double middle : {1.0, 0.0, 2.0}) {
    lu.values()[0] = 1, lu.values()[1] = middle, lu.values()[2] = 4;
    EXPECT_EQ(lu.factorize(), middle != 0);
    if (middle == 0) {
      EXPECT_EQ(lu.singular_column(), 1u);
    }
  }
  std::vector<double> x = {1, 2, 4};
  lu.solve(x);
  EXPECT_EQ(x, (std::vector<double>{1, 1, 1}));
}

// Zero diagonal elements need other pivots than the ones before.
TEST(Lu, PivotsAgainWhereOldPivotsVanish) {
  const std::vector<std::vector<std::size_t>> rows = {{0, 1}, {0, 1}};
  const SparsityPattern full = pattern_of_rows(rows);
  Lu<double> lu(2, &full);
  for (const double small : {5.0, 0.0, 1e-18}) {
    lu.values()[0] = small, lu.values()[1] = 1, lu.values()[2] = 1, lu.values()[3] = 1;
    ASSERT_TRUE(lu.factorize());
    std::vector<double> x = {1, 2};
    lu.solve(x);
    EXPECT_NEAR(x[0] + x[1], 2, 1e-15);  // the second equation
    EXPECT_NEAR(small * x[0] + x[1], 1, 1e-15);
  }
}

TEST(Pencil, MergesThePatternsOfBothMatrices) {
  const std::vector<std::vector<std::size_t>> m_rows = {{1}, {}, {}}, j_rows = {{}, {2}, {0}};
  const SparsityPattern m = pattern_of_rows(m_rows, false), j = pattern_of_rows(j_rows, false);
  const std::vector<double> m_values = {5}, j_values = {7, 11};  // J by columns: (2,0), (1,2)
  const std::vector<double> expected = {0, 0, -7, 10, 0, 0, 0, -11, 0};  // 2 M - J
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    const Pencil pencil(3, MatrixShape::stored(&m), MatrixShape::stored(&j), storage);
    std::vector<double> full(9);
    if (const SparsityPattern* const merged = pencil.pattern()) {
      EXPECT_EQ(merged->entry_count(), 6u);  // and the diagonal
      std::vector<double> values(merged->entry_count());
      pencil.fill<double>(2, m_values, j_values, values);
      std::size_t k = 0;
      for (std::size_t column = 0; column < 3; ++column)
        for (const std::int64_t row : merged->rows_of(column))
          full[3 * column + static_cast<std::size_t>(row)] = values[k++];
    } else {
      pencil.fill<double>(2, m_values, j_values, full);
    }
    EXPECT_EQ(full, expected);
  }
}

TEST(Pencil, StaysDenseWhereThatIsFaster) {
  const SparsityPattern thin = pattern_of_rows(std::vector<std::vector<std::size_t>>(40));
  const SparsityPattern small = pattern_of_rows(std::vector<std::vector<std::size_t>>(10));
  EXPECT_NE(Pencil(40, {}, MatrixShape::stored(&thin)).pattern(), nullptr);
  EXPECT_EQ(Pencil(10, {}, MatrixShape::stored(&small)).pattern(), nullptr);
  EXPECT_EQ(Pencil(40, MatrixShape::stored(nullptr), MatrixShape::stored(&thin)).pattern(),
            nullptr);
}

}  // namespace
}  // namespace tutti::solvers
