// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/jacobian.hpp"

#include <gtest/gtest.h>

namespace tutti::solvers {
namespace {

constexpr std::size_t cells = 20;

/// y' = A y, where A has a diagonal, and one full row or column.
class Arrow : public OdeProblem {
 public:
  enum class Full { row, column };
  Arrow(Full full, bool directional, bool adjoint, bool with_pattern = true)
      : directional_(directional), adjoint_(adjoint), with_pattern_(with_pattern) {
    std::vector<std::vector<std::size_t>> rows(cells);
    for (std::size_t i = 0; i < cells; ++i) {
      a_[i][i] = -1.0 - static_cast<double>(i);
      double& other = full == Full::row ? a_[0][i] : a_[i][0];
      if (i > 0) other = 1.0 / static_cast<double>(i);
      if (full == Full::row)
        rows[0].push_back(i);
      else
        rows[i].push_back(0);
    }
    pattern_ = pattern_of_rows(rows);
  }
  std::size_t size() const override { return cells; }
  const SparsityPattern* jacobian_pattern() const override {
    return with_pattern_ ? &pattern_ : nullptr;
  }
  bool has_directional_derivatives() const override { return directional_; }
  bool has_adjoint_derivatives() const override { return adjoint_; }
  bool evaluate(double, std::span<const double> y, std::span<double> f) override {
    for (std::size_t i = 0; i < cells; ++i) {
      f[i] = 0;
      for (std::size_t j = 0; j < cells; ++j) f[i] += a_[i][j] * y[j];
    }
    return true;
  }
  bool differentiate(double t, std::span<const double>, std::span<const double> seed,
                     std::span<double> result) override {
    ++directional_calls;
    return evaluate(t, seed, result);
  }
  bool differentiate_adjoint(double, std::span<const double>, std::span<const double> seed,
                             std::span<double> result) override {
    ++adjoint_calls;
    for (std::size_t j = 0; j < cells; ++j) {
      result[j] = 0;
      for (std::size_t i = 0; i < cells; ++i) result[j] += seed[i] * a_[i][j];
    }
    return true;
  }
  /// The matrix, from one evaluation of a Jacobian.
  std::vector<double> matrix() {
    Jacobian jacobian(*this);
    std::vector<double> values(jacobian.value_count()), f(cells), least(cells, 1e-8),
        all(cells * cells);
    const std::vector<double> y(cells, 1.0);
    evaluate(0, y, f);
    EXPECT_TRUE(jacobian.evaluate(0, y, f, least, values));
    if (!with_pattern_) return values;
    std::size_t place = 0;
    for (std::size_t j = 0; j < cells; ++j)
      for (const std::int64_t i : pattern_.rows_of(j))
        all[j * cells + static_cast<std::size_t>(i)] = values[place++];
    return all;
  }
  std::vector<double> exact() const {
    std::vector<double> all;
    for (std::size_t j = 0; j < cells; ++j)
      for (std::size_t i = 0; i < cells; ++i) all.push_back(a_[i][j]);
    return all;
  }

  int directional_calls = 0, adjoint_calls = 0;

 private:
  double a_[cells][cells]{};
  SparsityPattern pattern_;
  bool directional_, adjoint_, with_pattern_;
};

// A full row needs a directional derivative for each column: cells calls; its transposed has a full
// column, so two groups of rows suffice. All products are with 0 and 1, so the matrix is exact.
TEST(Jacobian, TakesAdjointDerivativesWhereARowIsFull) {
  Arrow both(Arrow::Full::row, true, true), directional(Arrow::Full::row, true, false);
  EXPECT_EQ(both.matrix(), both.exact());
  EXPECT_EQ(both.adjoint_calls, 2);
  EXPECT_EQ(both.directional_calls, 0);
  EXPECT_EQ(directional.matrix(), directional.exact());
  EXPECT_EQ(directional.directional_calls, static_cast<int>(cells));
}

TEST(Jacobian, TakesDirectionalDerivativesWhereAColumnIsFull) {
  Arrow both(Arrow::Full::column, true, true);
  EXPECT_EQ(both.matrix(), both.exact());
  EXPECT_EQ(both.directional_calls, 2);
  EXPECT_EQ(both.adjoint_calls, 0);
}

TEST(Jacobian, TakesAdjointDerivativesIfThereAreNoOthers) {
  for (const bool with_pattern : {false, true}) {
    Arrow alone(Arrow::Full::column, false, true, with_pattern);
    EXPECT_EQ(alone.matrix(), alone.exact());
    EXPECT_EQ(alone.adjoint_calls, static_cast<int>(cells));
  }
}

// As many groups of rows as of columns save nothing.
TEST(Jacobian, PrefersDirectionalDerivativesOfAFullMatrix) {
  Arrow full(Arrow::Full::row, true, true, false);
  EXPECT_EQ(full.matrix(), full.exact());
  EXPECT_EQ(full.adjoint_calls, 0);
}

TEST(Sparsity, TheTransposedPatternKnowsThePlacesOfTheOriginal) {
  const std::vector<std::vector<std::size_t>> rows = {{0, 2}, {}, {1}};
  const SparsityPattern pattern = pattern_of_rows(rows);
  const Transposed turned = transposed(pattern);
  for (std::size_t row = 0; row < 3; ++row) {
    auto entry = static_cast<std::size_t>(turned.pattern.column_start[row]);
    for (const std::int64_t column : turned.pattern.rows_of(row)) {
      const std::size_t place = turned.place[entry++];
      EXPECT_EQ(pattern.row_index[place], static_cast<std::int64_t>(row));
      const auto first = pattern.column_start[static_cast<std::size_t>(column)];
      const auto last = pattern.column_start[static_cast<std::size_t>(column) + 1];
      EXPECT_TRUE(static_cast<std::int64_t>(place) >= first &&
                  static_cast<std::int64_t>(place) < last);
    }
  }
  EXPECT_EQ(turned.pattern.entry_count(), pattern.entry_count());
}

}  // namespace
}  // namespace tutti::solvers
