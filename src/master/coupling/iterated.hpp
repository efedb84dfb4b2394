// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {

/// Repeats Gauss-Seidel or Jacobi sweeps until they change nothing beyond the tolerance:
///   x_(k+1) = x_k + w (S(x_k) - x_k)
/// with a fixed relaxation factor w, or with Aitken's (U. Küttler, W. A. Wall, Fixed-point
/// fluid-structure interaction solvers with dynamic relaxation, Comput. Mech. 43, 2008, eq. 44):
///   r_k = S(x_k) - x_k,   w_(k+1) = -w_k (r_k . (r_(k+1) - r_k)) / |r_(k+1) - r_k|^2
/// Converges where the loop's gain is below 1 in magnitude (with relaxation, a little beyond).
std::unique_ptr<CouplingMethod> make_iterated(const CouplingOptions& options);

}  // namespace tutti::master
