// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {

/// Gauss-Seidel sweeps, accelerated variable by variable with the secant through the last two
/// (J. H. Wegstein, Accelerating convergence of iterative processes, Comm. ACM 1, 1958).
/// Notation: G(x) is what a sweep makes of x.
///   s = (G(x_k) - G(x_(k-1))) / (x_k - x_(k-1)),   x_(k+1) = x_k + (G(x_k) - x_k) / (1 - s)
/// For a linear loop with one variable read before it is produced, the third sweep is exact.
std::unique_ptr<CouplingMethod> make_wegstein(const CouplingOptions& options);

}  // namespace tutti::master
