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

  /// By changes of the starts, then of the ends.
  Dense matrix() const;
};

/// The smallest changes of starts and ends that add something to the states, least squares: states
/// and inputs are measured by what the lines can do. Of inputs that outputs follow at once (columns
/// of D) the starts are changed rather than the ends.
Dense fit_lines(const LineEffect& effect, const Dense& d);

}  // namespace tutti::stability
