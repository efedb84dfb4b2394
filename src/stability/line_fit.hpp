// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/dense.hpp"

/// Only for the sources of this folder, as dense.hpp.
namespace tutti::stability {

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
