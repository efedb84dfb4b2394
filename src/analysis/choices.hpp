// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "analysis/advise_cycle.hpp"

namespace tutti::analysis {

/// Fills in what is safe, from the figures that are there.
void choose(CycleAdvice& advice, const CycleQuestion& question);

/// Fills in the findings.
void explain(CycleAdvice& advice, const CycleQuestion& question, std::size_t other_links);

}  // namespace tutti::analysis
