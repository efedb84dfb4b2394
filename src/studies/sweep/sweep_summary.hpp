// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/sweep.hpp>

#include "studies/sweep/sweep_meta.hpp"

namespace tutti::studies {

/// What the table of a sweep contains in the end: failed runs, and indices if it is complete.
/// @param report has results and runs. @throws Error(file)
void summarize(const SweepMeta& meta, SweepReport& report);

}  // namespace tutti::studies
