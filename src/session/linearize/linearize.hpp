// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <tutti/linearize.hpp>

#include "execution/monitor.hpp"
#include "session/run_outline.hpp"

namespace tutti::session {

/// tutti::linearize() in this process; the monitor shows its progress. `announce` gets what a
/// watcher needs to name components. @throws Error as that
LinearModel linearize_here(const System& system, const LinearizeOptions& options, const Log& log,
                           execution::Monitor& monitor,
                           const std::function<void(const RunOutline&)>& announce = {});

}  // namespace tutti::session
