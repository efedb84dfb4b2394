// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tutti/simulation.hpp>
#include <vector>

#include "execution/monitor.hpp"

/// What the watcher of a run knows of it, wherever it runs.
namespace tutti::session {

/// One of the instances.
struct Member {
  std::string name;
  bool needs_tool = false;        ///< that is not in the FMU
  std::optional<double> timeout;  ///< seconds for one step; that of the run
};

struct RunOutline {
  RunReport report;  ///< of a run that has not started
  std::vector<Member> members;
  std::size_t threads = 1;
};

/// A report for a run that could not make one itself: "t = 0.5 s: component "c" `what`".
RunReport report_for(const RunOutline& outline, const execution::Monitor& monitor,
                     RunEnd::Kind kind, ErrorCode code, const std::string& what,
                     std::string key = "");

/// FMUs that are the front of a tool wait for it, or for a licence, before time starts.
std::string_view what_it_may_wait_for(const RunOutline& outline, const execution::Monitor& monitor);

/// Seconds that the present call may take; 0: no limit.
double patience_with(const RunOutline& outline, const execution::Monitor& monitor, double usual);

}  // namespace tutti::session
