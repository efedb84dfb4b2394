// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system_run.hpp>

namespace tutti::session {

/// A run of the same system whose errors should be smaller.
struct SecondRun {
  System system;
  std::string change;                 ///< what is different in it
  double absolute = 0, relative = 0;  ///< the tolerance that the first run is judged by
  double start = 0, stop = 0;
};

/// Where errors choose the steps, with a tenth of the tolerance; else with half the step.
/// @throws Error(usage) without a tolerance to judge by
SecondRun make_second_run(const System& system, const VerifyOptions& options);

/// Runs a system twice at the same time, the second time in another process; the report is that of
/// the first run. @pre options.verify. @throws Error as run() does
RunReport run_and_verify(const System& system, const SystemRunOptions& options, Observer* sink,
                         const Log& log);

}  // namespace tutti::session
