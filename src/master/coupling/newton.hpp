// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/coupling/coupling_method.hpp"

namespace tutti::master {

/// Newton's method on F(x) = x - S(x):
///   (I - J) d = S(x_k) - x_k,   x_(k+1) = x_k + d,   J = dS/dx
/// J is the sensitivity of whole steps, by differences of repeated steps. It is kept from
/// iteration to iteration and from step to step while the iteration converges well (simplified
/// Newton), and taken anew when it does not. Converges for any loop gain except near 1.
std::unique_ptr<CouplingMethod> make_newton(const CouplingOptions& options);

}  // namespace tutti::master
