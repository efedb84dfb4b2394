// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system_run.hpp>

namespace tutti::session {

/// Runs a system twice at the same time, the second time in another process; the report is that of
/// the first run. @pre options.verify. @throws Error as run() does
RunReport run_and_verify(const System& system, const SystemRunOptions& options, Observer* sink,
                         const Log& log);

}  // namespace tutti::session
