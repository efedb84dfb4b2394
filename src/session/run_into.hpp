// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>

#include "execution/ring.hpp"
#include "session/run_setup.hpp"

namespace tutti::session {

/// The run itself, from loading the FMUs to the end: rows go to the ring. A run that finds out what
/// it needs is repeated. Whatever happens is in the report.
RunReport run_into(execution::Ring& ring, execution::Monitor& monitor, RunSetup& setup, bool record,
                   const Log& log);

/// The run sends checkpoints, so many seconds of simulated time apart.
void send_checkpoints_to(execution::Ring& ring, double every, RunSetup& setup);

}  // namespace tutti::session
