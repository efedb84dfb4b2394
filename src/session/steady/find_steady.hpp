// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/steady.hpp>

#include "base/codec.hpp"
#include "execution/monitor.hpp"
#include "session/messages.hpp"

namespace tutti::session {

/// What a worker needs besides the Opening.
struct SteadyTask {
  std::vector<std::string> free;
  std::vector<std::pair<std::string, double>> fixed;
  double tolerance = 0;
  std::uint32_t iterations = 0, steps = 0;
};

/// In this process. `monitor`: shows the progress to a watcher.
SteadyState find_steady_here(const System& system, const SteadyOptions& options, const Log& log,
                             execution::Monitor& monitor);

}  // namespace tutti::session

namespace tutti {

TUTTI_FIELDS(session::SteadyTask, 5);
TUTTI_FIELDS(SteadyValue, 6);
TUTTI_FIELDS(SteadyResidual, 4);
TUTTI_FIELDS(SteadyState, 15);
TUTTI_FIELDS(NamedValue, 3);

}  // namespace tutti
