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

/// The increments of states due to lines over a step: `jump` times their start plus `line` times
/// their increase. A constant input does not increase.
struct LineEffect {
  const Dense &jump, &line;
  bool follows_lines = false;
  const Dense& seen;  ///< effect of the states on outputs, by outputs and states

  /// By changes of the starts, then of the ends.
  Dense matrix() const;
};

/// The smallest changes of starts and ends that produce given increments of the states, by least
/// squares: states are scaled by the visible effect of lines on them, inputs by the effect of their
/// lines. States that outputs hardly show have a small weight: a fit to noise may have such states.
/// For inputs with direct feed-through (columns of D) the starts are changed rather than the ends.
Dense fit_lines(const LineEffect& effect, const Dense& d);

}  // namespace tutti::stability
