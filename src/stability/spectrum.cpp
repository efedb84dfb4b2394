// SPDX-License-Identifier: BSD-2-Clause
#include "stability/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "base/infinity.hpp"
#include "stability/dense.hpp"

namespace tutti::stability {
namespace {

/// For the eigenvalue nearest to `value`.
Eigen::VectorXd eigenvector_magnitudes(const Eigen::EigenSolver<Dense>& solver, Complex value) {
  Eigen::Index nearest = 0;
  (solver.eigenvalues().array() - value).abs().minCoeff(&nearest);
  return solver.eigenvectors().col(nearest).cwiseAbs();
}

}  // namespace

std::vector<Complex> eigenvalues(const Matrix& matrix) {
  if (matrix.rows == 0) return {};
  const Dense all = dense(matrix);
  if (!all.allFinite()) return std::vector<Complex>(matrix.rows, infinity);
  const Eigen::EigenSolver<Dense> solver(all, false);
  if (solver.info() != Eigen::Success) return std::vector<Complex>(matrix.rows, infinity);
  std::vector<Complex> values(solver.eigenvalues().begin(), solver.eigenvalues().end());
  std::ranges::stable_sort(values, [](Complex a, Complex b) { return std::abs(a) > std::abs(b); });
  return values;
}

double spectral_radius(const Matrix& matrix) {
  const std::vector<Complex> values = eigenvalues(matrix);
  return values.empty() ? 0 : std::abs(values.front());
}

double spectral_abscissa(const Matrix& matrix) {
  double largest = -infinity;
  for (const Complex value : eigenvalues(matrix)) largest = std::max(largest, value.real());
  return largest;
}

std::vector<double> participation(const Matrix& matrix) {
  if (matrix.rows == 0) return {};
  const Dense all = dense(matrix);
  const Eigen::VectorXd even = Eigen::VectorXd::Constant(all.rows(), 1.0);
  Eigen::VectorXd weights = even;
  if (all.allFinite()) {
    const Complex worst = eigenvalues(matrix).front();
    weights = eigenvector_magnitudes(Eigen::EigenSolver<Dense>(all), worst)
                  .cwiseProduct(eigenvector_magnitudes(
                      Eigen::EigenSolver<Dense>(Dense(all.transpose())), worst));
  }
  if (!(weights.sum() > 0)) weights = even;  // a multiple eigenvalue: the supports are disjoint
  weights /= weights.sum();
  return {weights.begin(), weights.end()};
}

std::vector<Complex> roots_of_monic(std::span<const Complex> coefficients) {
  const Eigen::Index n = index(coefficients.size());
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i > 0) companion(i, i - 1) = 1;
    companion(i, n - 1) = -coefficients[static_cast<std::size_t>(i)];
  }
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(companion, false);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

}  // namespace tutti::stability
