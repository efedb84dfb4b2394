// SPDX-License-Identifier: BSD-2-Clause
#include <unsupported/Eigen/MatrixFunctions>

#include "stability/dense.hpp"

namespace tutti::stability {

Dense exponential(const Dense& matrix) { return matrix.exp(); }

}  // namespace tutti::stability
