// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "api/run_setup.hpp"

namespace tutti::api {

/// Fills in when the run starts, stops and communicates, from the user's options and the FMU's.
/// @throws Error(usage)
void resolve_time(const SimulateOptions& options, const DefaultExperiment& experiment,
                  RunSetup& setup);

}  // namespace tutti::api
