// SPDX-License-Identifier: BSD-2-Clause
#include <unsupported/Eigen/MatrixFunctions>

#include "stability/dense.hpp"

namespace tutti::stability {

Dense exponential(const Dense& matrix) {
  if (matrix.size() == 0) return matrix;  // a model without states
  return matrix.exp();
}

}  // namespace tutti::stability
