// SPDX-License-Identifier: BSD-2-Clause
#include "stability/exponential.hpp"

#include <unsupported/Eigen/MatrixFunctions>

namespace tutti::stability {

Dense exponential(const Dense& matrix) { return matrix.exp(); }

}  // namespace tutti::stability
