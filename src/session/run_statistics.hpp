// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>
#include <tutti/simulation.hpp>

#include "session/run_setup.hpp"

namespace tutti::session {

/// What a run has to report so far. @pre statistics.step_seconds is known
void collect_statistics(const master::Island& island, const master::Loop& loop,
                        const RunSetup& setup, RunStatistics& statistics);

/// The calls of one FMU count as those of the run.
void count_calls(const CallCounts& calls, RunStatistics& statistics);

/// A warning, where steps that exceeded the tolerance and could not be rolled back matter, and
/// where errors of steps have added up to much more than each of them.
void report_accuracy(const master::Island& island, const master::Loop& loop, const Log& log);

}  // namespace tutti::session
