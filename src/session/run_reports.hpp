// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <tutti/simulation.hpp>

#include "session/run_setup.hpp"

/// What the watcher of a run reports of it.
namespace tutti::session {

/// Of a run that has not started.
RunReport empty_report(const RunSetup& setup);

/// A report for a run that could not make one itself: "t = 0.5 s: component "c" `what`".
RunReport report_for(const RunSetup& setup, const master::Monitor& monitor, RunEnd::Kind kind,
                     ErrorCode code, const std::string& what, std::string key = "");

/// Adds what the setup knows, and takes its columns.
RunReport completed(RunReport report, RunSetup& setup);

/// FMUs that are the front of a tool wait for it, or for a licence, before time starts.
std::string_view what_it_may_wait_for(const RunSetup& setup, const master::Monitor& monitor);

/// Seconds that the present call may take; 0: no limit.
double patience_with(const RunSetup& setup, const master::Monitor& monitor, double usual);

}  // namespace tutti::session
