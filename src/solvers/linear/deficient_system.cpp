// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/deficient_system.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>

namespace tutti::solvers {
namespace {

using DenseMatrix = Eigen::MatrixXd;
using DenseVector = Eigen::VectorXd;

/// Larger matrices are factorised sparsely, without their rank.
constexpr std::size_t largest_with_rank = 600;

Eigen::Index index_of(std::size_t i) { return static_cast<Eigen::Index>(i); }

/// The minimiser of |A y - b| of minimum length. The rows of A are projections of unit vectors: if
/// they are orthogonal to the space, as the momentum of a free body to its position, only errors of
/// the Jacobian are left of them, which are negligible.
DenseVector shortest_solution(const DenseMatrix& a, const DenseVector& b, double negligible) {
  const Eigen::BDCSVD<DenseMatrix> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  DenseVector y = svd.matrixU().transpose() * b;
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double s = svd.singularValues()[i];
    y[i] = s > negligible ? y[i] / s : 0;
  }
  return svd.matrixV() * y;
}

}  // namespace

struct DeficientSystem::Parts {
  std::size_t size = 0, rank = 0;
  DenseVector weights;           ///< d = weights * scaled d
  DenseVector row_scale;         ///< of the rows, as used; never zero
  std::vector<double> row_sums;  ///< as they are
  std::unique_ptr<LinearSystem> sparse;
  Eigen::ColPivHouseholderQR<DenseMatrix> qr;
  // Of a singular matrix: pseudo-inverse, null space, and what the equations conserve.
  DenseMatrix u, v, null;
  DenseVector singular;
  DenseMatrix conserved;        ///< rows: constraints on the scaled d
  double least_projection = 0;  ///< of these rows to the null space; less is an error

  void decompose(const DenseMatrix& scaled, std::size_t state_count, double rank_tolerance) {
    least_projection = 10 * rank_tolerance;
    qr.setThreshold(rank_tolerance);
    qr.compute(scaled);
    rank = static_cast<std::size_t>(qr.rank());
    if (rank == size) return;
    const Eigen::BDCSVD<DenseMatrix> svd(scaled, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const DenseVector& values = svd.singularValues();
    rank = 0;
    while (rank < size && values[index_of(rank)] > rank_tolerance * values[0]) ++rank;
    const Eigen::Index r = index_of(rank), n = index_of(size);
    u = svd.matrixU().leftCols(r);
    v = svd.matrixV().leftCols(r);
    singular = values.head(r);
    null = svd.matrixV().rightCols(n - r);
    find_conserved(svd.matrixU().rightCols(n - r), state_count);
  }

  /// A left null vector c of df/dx has c x' = const: if that is 0, c x is conserved. Only where it
  /// consists of derivatives of states.
  void find_conserved(const DenseMatrix& left, std::size_t state_count) {
    constexpr double negligible = 1e-9;
    const Eigen::Index n = index_of(size), states = index_of(state_count);
    std::vector<DenseVector> rows;
    for (Eigen::Index k = 0; k < left.cols(); ++k) {
      if (left.col(k).tail(n - states).cwiseAbs().sum() > negligible) continue;
      DenseVector c = DenseVector::Zero(n);
      for (Eigen::Index i = 0; i < states; ++i) c[i] = left(i, k) / row_scale[i] * weights[i];
      if (c.norm() > 0) rows.push_back(c / c.norm());
    }
    conserved.resize(index_of(rows.size()), n);
    for (std::size_t k = 0; k < rows.size(); ++k) conserved.row(index_of(k)) = rows[k];
  }

  DenseVector solve(const DenseVector& scaled_right, const DenseVector& moved) const {
    if (rank == size) return qr.solve(scaled_right);
    DenseVector d = DenseVector::Zero(index_of(size));
    if (rank > 0) d = v * (u.transpose() * scaled_right).cwiseQuotient(singular);
    if (conserved.rows() > 0)
      d += null * shortest_solution(conserved * null, -(conserved * (d + moved)), least_projection);
    return d;
  }
};

DeficientSystem::DeficientSystem(std::size_t size, std::span<const Entry> entries,
                                 std::span<const double> weights, std::size_t state_count,
                                 double rank_tolerance)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.size = size;
  p.weights = Eigen::Map<const DenseVector>(weights.data(), index_of(size));
  p.row_sums.assign(size, 0);
  for (const Entry& e : entries) p.row_sums[e.row] += std::abs(e.value) * weights[e.column];
  p.row_scale.resize(index_of(size));
  for (std::size_t i = 0; i < size; ++i)
    p.row_scale[index_of(i)] = p.row_sums[i] > 0 ? p.row_sums[i] : 1;
  if (size > largest_with_rank) {
    std::vector<Entry> scaled(entries.begin(), entries.end());
    for (Entry& e : scaled) e.value *= weights[e.column] / p.row_scale[index_of(e.row)];
    p.sparse = std::make_unique<LinearSystem>(size, scaled);
    p.rank = size;
    return;
  }
  DenseMatrix scaled = DenseMatrix::Zero(index_of(size), index_of(size));
  for (const Entry& e : entries)
    scaled(index_of(e.row), index_of(e.column)) +=
        e.value * weights[e.column] / p.row_scale[index_of(e.row)];
  p.decompose(scaled, state_count, rank_tolerance);
}

DeficientSystem::~DeficientSystem() = default;

void DeficientSystem::solve(std::span<const double> right, std::span<const double> moved,
                            std::span<double> d) const {
  const Parts& p = *parts_;
  const Eigen::Index n = index_of(p.size);
  const DenseVector scaled =
      Eigen::Map<const DenseVector>(right.data(), n).cwiseQuotient(p.row_scale);
  Eigen::Map<DenseVector> result(d.data(), n);
  if (p.sparse)
    p.sparse->solve({scaled.data(), p.size}, d);
  else
    result =
        p.solve(scaled, Eigen::Map<const DenseVector>(moved.data(), n).cwiseQuotient(p.weights));
  result = result.cwiseProduct(p.weights).eval();
}

std::size_t DeficientSystem::rank() const { return parts_->rank; }

std::vector<std::uint8_t> DeficientSystem::undetermined() const {
  constexpr double negligible = 1e-6;  // an element of a unit vector
  const Parts& p = *parts_;
  std::vector<std::uint8_t> free(p.size, 0);
  for (Eigen::Index i = 0; i < p.null.rows(); ++i)
    if (p.null.cols() > 0 && p.null.row(i).norm() > negligible)
      free[static_cast<std::size_t>(i)] = 1;
  return free;
}

std::span<const double> DeficientSystem::row_sums() const { return parts_->row_sums; }

}  // namespace tutti::solvers
