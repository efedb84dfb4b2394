// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/response_basis.hpp"

namespace tutti::stability {

/// A system with few states from the fit of each response by itself.
///
/// Each factor appears once, if C, B and D can then be fitted to all responses together. Otherwise
/// each input has its own copy of each factor; of the copies with similar rates, the directions
/// that reach the outputs most are kept (balanced over a few samples), as few as possible.
/// @param coefficients by pair of input and output (columns): D, then those of the states
/// @param weights by sample and pair
/// @param allowed the error up to which directions may be left out
ResponseFit realize(const std::vector<Factor>& factors, const Dense& coefficients,
                    const StepResponses& responses, const Dense& weights, double allowed);

}  // namespace tutti::stability
