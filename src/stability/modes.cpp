// SPDX-License-Identifier: BSD-2-Clause
#include "stability/modes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tutti/error.hpp>

#include "stability/dense.hpp"

namespace tutti::stability {
namespace {

using Vectors = Eigen::MatrixXcd;

// Left and right vectors of a defective eigenvalue are orthogonal: their elements cancel, or where
// one has elements the other has none but rounding.
constexpr double least_sum = 1e-7, least_product = 1e-13;

/// Scales rows and columns by powers of 2 until their norms are similar (B. N. Parlett, C. Reinsch,
/// Balancing a matrix for calculation of eigenvalues and eigenvectors, Numer. Math. 13, 1969).
/// Eigenvalues and participations do not change.
void balance(Dense& a) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      const double column = a.col(i).cwiseAbs().sum() - std::abs(a(i, i));
      const double row = a.row(i).cwiseAbs().sum() - std::abs(a(i, i));
      if (column == 0 || row == 0) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * factor + row / factor >= 0.95 * (column + row)) continue;
      a.col(i) *= factor;
      a.row(i) /= factor;
      changed = true;
    }
  }
}

/// By column; empty where left and right vectors are orthogonal.
std::vector<double> shares_of(const Eigen::VectorXcd& left, const Eigen::VectorXcd& right) {
  Eigen::VectorXd weights = left.cwiseAbs().cwiseProduct(right.cwiseAbs());
  const double sum = std::abs(left.cwiseProduct(right).sum());
  if (!(sum > least_sum * weights.sum()) || !(sum > least_product * left.norm() * right.norm()))
    return {};
  weights /= weights.sum();
  return {weights.begin(), weights.end()};
}

/// The rows of the inverse of the right vectors: those of one eigenvalue are dual to each other,
/// also if it is multiple. Not finite where the vectors are not independent.
Vectors left_vectors(const Vectors& right) {
  return Eigen::PartialPivLU<Vectors>(right).inverse().transpose();
}

/// For a simple eigenvalue near this one, from the transposed matrix.
Eigen::VectorXcd left_vector(const Eigen::EigenSolver<Dense>& transposed, Complex value) {
  Eigen::Index nearest = 0;
  (transposed.eigenvalues().array() - value).abs().minCoeff(&nearest);
  return transposed.eigenvectors().col(nearest);
}

}  // namespace

std::vector<Mode> find_modes(const Matrix& matrix) {
  if (matrix.rows == 0) return {};
  Dense a = dense(matrix);
  if (!a.allFinite()) throw Error(ErrorCode::numeric, "an entry of A is not finite");
  balance(a);
  const Eigen::EigenSolver<Dense> solver(a);
  if (solver.info() != Eigen::Success)
    throw Error(ErrorCode::numeric, "the eigenvalues of A were not found: QR does not converge");
  const Vectors right = solver.eigenvectors();
  const Vectors left = left_vectors(right);
  std::optional<Eigen::EigenSolver<Dense>> transposed;
  if (!left.allFinite() || left.norm() * right.norm() > 1e12)
    transposed.emplace(Dense(a.transpose()));

  std::vector<Mode> modes;
  for (Eigen::Index k = 0; k < a.rows(); ++k) {
    const Complex value = solver.eigenvalues()[k];
    modes.push_back({value, shares_of(transposed ? left_vector(*transposed, value)
                                                 : Eigen::VectorXcd(left.col(k)),
                                      right.col(k))});
  }
  // The two of a pair have the same magnitude up to rounding.
  std::ranges::stable_sort(modes, [](const Mode& one, const Mode& other) {
    const double first = std::abs(one.value), second = std::abs(other.value);
    if (one.value == std::conj(other.value)) return one.value.imag() > other.value.imag();
    return first < second;
  });
  return modes;
}

}  // namespace tutti::stability
