// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/dense.hpp"

namespace tutti::stability {

/// exp(matrix), by Padé approximation with scaling and squaring. In a source of its own: Eigen's
/// matrix functions are slow to compile.
Dense exponential(const Dense& matrix);

}  // namespace tutti::stability
