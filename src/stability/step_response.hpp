// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/dense.hpp"

/// Only for the sources of this folder, as dense.hpp.
namespace tutti::stability {

/// A step of h of x' = A x + B u, exactly, also where A is singular:
///   phi = e^(A h),   psi = int_0^h e^(A s) ds,   psi2 = 1/h int_0^h int_0^r e^(A s) ds dr
/// so that psi B is the response of x to a constant u = 1, and psi2 B to one that grows from 0
/// to 1.
struct StepResponse {
  Dense phi, psi, psi2;
};
StepResponse step_response(const Dense& a, double h);

}  // namespace tutti::stability
