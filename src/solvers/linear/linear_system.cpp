// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/linear_system.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::solvers {
namespace {

constexpr std::size_t largest_dense = 60;  // about where sparse elimination becomes faster
// Elements of a direction below this part of the largest are zero.
constexpr double negligible = 1e-12;

using Sparse = Eigen::SparseMatrix<double>;
using MappedVector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

std::vector<double> least_squares(const std::deque<std::vector<double>>& columns,
                                  std::span<const double> right) {
  std::vector<double> weights(columns.size());
  if (columns.empty()) return weights;
  const auto rows = static_cast<Eigen::Index>(right.size());
  Eigen::MatrixXd matrix(rows, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    matrix.col(static_cast<Eigen::Index>(k)) =
        Eigen::Map<const Eigen::VectorXd>(columns[k].data(), rows);
  const Eigen::Map<const Eigen::VectorXd> b(right.data(), rows);
  const Eigen::VectorXd solution =
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(matrix).solve(b);
  std::ranges::copy(solution, weights.begin());
  return weights;
}

struct LinearSystem::Factors {
  Eigen::PartialPivLU<Eigen::MatrixXd> dense;
  Eigen::SparseLU<Sparse> sparse;
  bool is_sparse = false;
  bool is_singular = false;

  void compute(const Sparse& matrix) {
    if (is_sparse) {
      // With less than an element in each column, Eigen may not return.
      is_singular = matrix.nonZeros() < matrix.cols();
      if (is_singular) return;
      sparse.compute(matrix);
      is_singular = sparse.info() != Eigen::Success;
    } else {
      dense.compute(Eigen::MatrixXd(matrix));
    }
  }
  template <typename Right, typename Solution>
  void solve(const Right& right, Solution& x) const {
    if (is_singular)
      x.setConstant(std::numeric_limits<double>::quiet_NaN());
    else if (is_sparse)
      x = sparse.solve(right);
    else
      x = dense.solve(right);
  }
};

struct LinearSystem::Matrix {
  Sparse values, magnitudes;  ///< of elements in the same place, magnitudes add up

  Matrix(std::size_t size, std::span<const Entry> entries) {
    const auto n = static_cast<Eigen::Index>(size);
    std::vector<Eigen::Triplet<double>> triplets, absolute;
    triplets.reserve(entries.size());
    absolute.reserve(entries.size());
    for (const Entry& entry : entries) {
      const auto row = static_cast<int>(entry.row), column = static_cast<int>(entry.column);
      triplets.emplace_back(row, column, entry.value);
      absolute.emplace_back(row, column, std::abs(entry.value));
    }
    for (Sparse* matrix : {&values, &magnitudes}) matrix->resize(n, n);
    values.setFromTriplets(triplets.begin(), triplets.end());
    magnitudes.setFromTriplets(absolute.begin(), absolute.end());
  }
};

LinearSystem::LinearSystem(std::size_t size, std::span<const Entry> entries)
    : matrix_(std::make_unique<Matrix>(size, entries)), factors_(std::make_unique<Factors>()) {
  factors_->is_sparse = size > largest_dense && entries.size() < size * size / 4;
  factors_->compute(matrix_->values);
}

LinearSystem::~LinearSystem() = default;

void LinearSystem::solve(std::span<const double> right, std::span<double> x) const {
  const auto n = static_cast<Eigen::Index>(x.size());
  MappedVector solution(x.data(), n);
  factors_->solve(ConstVector(right.data(), n), solution);
}

// Inverse iteration: each solution is larger in the free direction by 1/tolerance or more.
std::vector<double> LinearSystem::free_direction(double tolerance) const {
  constexpr double golden = 0.6180339887498949;  // a start in a generic direction
  Eigen::VectorXd v(matrix_->values.rows());
  for (Eigen::Index i = 0; i < v.size(); ++i)
    v[i] = 1 + std::fmod(golden * static_cast<double>(i + 1), 1);
  const Factors* factors = factors_.get();
  Factors shifted;
  Eigen::VectorXd solution(v.size());
  factors->solve(v, solution);
  if (!solution.allFinite()) {
    // With no pivot of exactly zero, the same iteration works.
    constexpr double shift = 1e-14;
    Sparse matrix = matrix_->values;
    for (Eigen::Index i = 0; i < v.size(); ++i)
      matrix.coeffRef(i, i) += shift * std::max(1.0, matrix_->magnitudes.coeff(i, i));
    shifted.is_sparse = factors_->is_sparse;
    shifted.compute(matrix);
    factors = &shifted;
  }
  for (int iteration = 0; iteration < 2; ++iteration) {
    factors->solve(v, solution);
    const double largest = solution.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest) || !(largest > 0)) return {};
    v = solution / largest;
  }
  for (double& element : v)
    if (std::abs(element) < negligible) element = 0;
  const Eigen::VectorXd left = matrix_->values * v;
  const Eigen::VectorXd terms = matrix_->magnitudes * v.cwiseAbs();
  const double significant = negligible * terms.maxCoeff();
  for (Eigen::Index i = 0; i < v.size(); ++i)
    if (terms[i] > significant && std::abs(left[i]) > tolerance * terms[i]) return {};
  return {v.begin(), v.end()};
}

}  // namespace tutti::solvers
