// SPDX-License-Identifier: BSD-2-Clause
#include "stability/step_response.hpp"

#include <Eigen/QR>

namespace tutti::stability {
namespace {

using Weights = Eigen::VectorXd;

constexpr double weak_direction = 1e-6;  // almost without effect of lines
constexpr double of_ends_fed_through = 0.1;
constexpr double hardly_shown = 1e-3;  // relative to the state that outputs show best

double inverse(double size) { return size > 0 ? 1 / size : 0.0; }

Weights weights_of_states(const Dense& effect, const Dense& seen) {
  const Weights sizes = effect.rowwise().norm();
  Weights shown = sizes.cwiseProduct(seen.colwise().norm().transpose());
  const double largest = shown.size() > 0 ? shown.maxCoeff() : 0;
  shown = largest > 0 ? Weights((shown / largest).cwiseMax(hardly_shown))
                      : Weights(Weights::Ones(shown.size()));
  return shown.cwiseProduct(sizes.unaryExpr(&inverse));
}

Dense least_squares(const Dense& effect, const Weights& rows, const Weights& weights) {
  const Weights columns =
      effect.colwise().norm().transpose().unaryExpr(&inverse).cwiseProduct(weights);
  Eigen::CompleteOrthogonalDecomposition<Dense> solver;
  solver.setThreshold(weak_direction);
  solver.compute(rows.asDiagonal() * effect * columns.asDiagonal());
  return columns.asDiagonal() * Dense(solver.pseudoInverse()) * rows.asDiagonal();
}

}  // namespace

/// The exponential of [H A, H I, 0; 0, 0, I; 0, 0, 0].
StepResponse step_response(const Dense& a, double h) {
  const Eigen::Index n = a.rows();
  if (n == 0) return {Dense(0, 0), Dense(0, 0), Dense(0, 0)};
  Dense all = Dense::Zero(3 * n, 3 * n);
  all.topLeftCorner(n, n) = h * a;
  all.block(0, n, n, n).diagonal().setConstant(h);
  all.block(n, 2 * n, n, n).setIdentity();
  const Dense map = exponential(all);
  return {map.topLeftCorner(n, n), map.block(0, n, n, n), map.topRightCorner(n, n)};
}

Dense LineEffect::matrix() const {
  Dense effect = Dense::Zero(jump.rows(), 2 * jump.cols());
  effect.rightCols(jump.cols()) = follows_lines ? line : jump;
  if (follows_lines) effect.leftCols(jump.cols()) = jump - line;
  return effect;
}

Dense fit_lines(const LineEffect& effect, const Dense& d) {
  const Eigen::Index m = d.cols();
  if (effect.jump.rows() == 0 || m == 0) return Dense::Zero(2 * m, effect.jump.rows());
  Weights weights = Weights::Ones(2 * m);
  for (Eigen::Index k = 0; k < m; ++k)
    if (effect.follows_lines && !d.col(k).isZero(0)) weights[m + k] = of_ends_fed_through;
  const Dense matrix = effect.matrix();
  return least_squares(matrix, weights_of_states(matrix, effect.seen), weights);
}

}  // namespace tutti::stability
