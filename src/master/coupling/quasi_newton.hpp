// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {

/// Broyden's method on F(x) = x - S(x) (C. G. Broyden, Math. Comp. 19, 1965, the "good" update): no
/// Jacobian is taken; an estimate H of (I - J)^-1, at first I, learns from every pass:
///   d = H (S(x) - x),   H += (d - H q) d^T H / (d^T H q),   q = change of x - S(x) over d
/// The estimate is kept from step to step.
std::unique_ptr<CouplingMethod> make_broyden(const CouplingOptions& options);

/// Anderson acceleration of the Jacobi iteration (D. G. Anderson, J. ACM 12, 1965; H. F. Walker,
/// P. Ni, SIAM J. Numer. Anal. 49, 2011): the next iterate combines the last few so that the
/// linearised residual is smallest.
std::unique_ptr<CouplingMethod> make_anderson(const CouplingOptions& options);

}  // namespace tutti::master
