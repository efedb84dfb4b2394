// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>
#include <tutti/simulation.hpp>

#include "api/run_setup.hpp"

namespace tutti::api {

/// What a run has to report so far. @pre statistics.step_seconds is known
void collect_statistics(const master::Island& island, const master::Loop& loop,
                        const RunSetup& setup, RunStatistics& statistics);

/// Steps that exceeded the tolerance and could not be rolled back: a warning, if they matter.
void report_inaccurate_steps(const master::Loop& loop, const Log& log);
/// Errors of steps can add up to much more than each of them: a warning, if they do.
void report_large_error(const master::Island& island, const Log& log);

}  // namespace tutti::api
