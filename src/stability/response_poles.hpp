// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/response_fit.hpp"
#include "stability/spectrum.hpp"

namespace tutti::stability {

/// Candidates for the poles of a system with these responses, in 1/s: more than needed rather than
/// fewer. Of a pair, the one above the real axis.
std::vector<Complex> find_poles(const StepResponses& responses);

}  // namespace tutti::stability
