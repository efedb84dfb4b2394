// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/linear_system.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <limits>
#include <vector>

namespace tutti::solvers {
namespace {

constexpr std::size_t largest_dense = 60;  // about where sparse elimination begins to pay

using MappedVector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

struct LinearSystem::Factors {
  Eigen::PartialPivLU<Eigen::MatrixXd> dense;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse;
  bool is_sparse = false;
  bool is_singular = false;
};

LinearSystem::LinearSystem(std::size_t size, std::span<const Entry> entries)
    : factors_(std::make_unique<Factors>()) {
  const auto n = static_cast<Eigen::Index>(size);
  factors_->is_sparse = size > largest_dense && entries.size() < size * size / 4;
  if (factors_->is_sparse) {
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(entries.size());
    for (const Entry& entry : entries)
      triplets.emplace_back(static_cast<int>(entry.row), static_cast<int>(entry.column),
                            entry.value);
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    factors_->sparse.compute(matrix);
    factors_->is_singular = factors_->sparse.info() != Eigen::Success;
  } else {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    for (const Entry& entry : entries)
      matrix(static_cast<Eigen::Index>(entry.row), static_cast<Eigen::Index>(entry.column)) +=
          entry.value;
    factors_->dense.compute(matrix);
  }
}

LinearSystem::~LinearSystem() = default;

void LinearSystem::solve(std::span<const double> right, std::span<double> x) const {
  const auto n = static_cast<Eigen::Index>(x.size());
  const ConstVector b(right.data(), n);
  MappedVector solution(x.data(), n);
  if (factors_->is_singular)
    std::fill(x.begin(), x.end(), std::numeric_limits<double>::quiet_NaN());
  else if (factors_->is_sparse)
    solution = factors_->sparse.solve(b);
  else
    solution = factors_->dense.solve(b);
}

}  // namespace tutti::solvers
