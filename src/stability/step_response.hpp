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

/// What lines over a step add to states: those of `jump` times where they start and of `line` times
/// what they grow. An input that is constant does not grow.
struct LineEffect {
  const Dense &jump, &line;
  bool follows_lines = false;
  const Dense& seen;  ///< what outputs show of the states, by outputs and states

  /// By changes of the starts, then of the ends.
  Dense matrix() const;
};

/// The smallest changes of starts and ends that add something to the states, least squares: states
/// are measured by what outputs show of what lines can do to them, inputs by what the lines can do.
/// States that outputs hardly show count a little: a fit to noise may have such. Of inputs that
/// outputs follow at once (columns of D) the starts are changed rather than the ends.
Dense fit_lines(const LineEffect& effect, const Dense& d);

}  // namespace tutti::stability
