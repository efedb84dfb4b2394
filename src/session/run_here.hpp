// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "session/execute.hpp"

namespace tutti::session {

/// Runs what was prepared in this process, with a second thread that takes the results.
/// @throws Error(capability) if that thread cannot be started
RunReport run_here(const RunControl& options, RunSetup& setup, Observer* sink, const Log& log,
                   RoutedLog& routed, execution::Ring& ring);

}  // namespace tutti::session
