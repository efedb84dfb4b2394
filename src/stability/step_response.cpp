// SPDX-License-Identifier: BSD-2-Clause
#include "stability/step_response.hpp"

namespace tutti::stability {

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

}  // namespace tutti::stability
