// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "analysis/linearization.hpp"

namespace tutti::analysis {

/// Of all runs of one fit together: a slow FMU takes a second for each.
constexpr std::size_t maximum_fitted_steps = 1000;

/// A, B, C and D of a co-simulation FMU from small steps with inputs that are moved a bit: from the
/// start again and again, by restoring its state there or, where it has none to restore, with a new
/// instance for each run (stability/identification.hpp).
/// @param known D, as far as other sources have it; taken where the steps agree with it
/// @throws Error: the FMU refuses, is too slow, or no linear system fits
Linearization fit_small_steps(fmi::Fmu& fmu, const LinearizationTask& task,
                              const Linearization& known);

}  // namespace tutti::analysis
