// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tutti/simulation.hpp>
#include <vector>

#include "execution/monitor.hpp"
#include "fmi/fmu.hpp"
#include "master/ensemble.hpp"
#include "results/recorder.hpp"

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
  std::vector<Column> port_columns;  ///< of what is recorded of ports
};

/// A report for a run that could not make one itself: "t = 0.5 s: component "c" `what`".
RunReport report_for(const RunOutline& outline, const execution::Monitor& monitor,
                     RunEnd::Kind kind, ErrorCode code, const std::string& what,
                     std::string key = "");

/// FMUs that are the front of a tool wait for it, or for a licence, before time starts.
std::string_view what_it_may_wait_for(const RunOutline& outline, const execution::Monitor& monitor);

/// Seconds that the present call may take; 0: no limit.
double patience_with(const RunOutline& outline, const execution::Monitor& monitor, double usual);

class RunningSystem;

/// Everything a run needs, checked, before an FMU is loaded.
struct RunSetup {
  RunOutline outline;
  bool is_lone = false;    ///< there is one FMU, and no system around it
  models::RunNeeds needs;  ///< more may turn up on the way
  master::Loop::Options time;
  double step = 0;  ///< between communication points; the first one where they differ
  /// Loads the FMUs and notes in the monitor whom it calls. Messages of the run go to the log.
  std::function<master::MadeIslands(master::Monitor&, std::size_t threads, const models::RunNeeds&)>
      make_islands;
  /// What is recorded of the system, column by column.
  std::function<std::vector<results::Recorder::Choice>(const master::Ensemble&)> choose;
  /// What is recorded of ports, if `records_ports`; there are columns for it.
  master::tlm::PortRows::Setup ports;
  bool records_ports = false;
  /// Of a run that is resumed: brings the initialized system to where it was.
  std::function<void(RunningSystem&)> resume;
  double checkpoint_every = 0;  ///< s of simulated time; 0: there are no checkpoints
  std::function<void(double time, const std::string& state)> write_checkpoint;
};

/// The FMU is the front of a tool that must be installed.
bool needs_tool(const ModelDescription& description);

/// What the user says of start, stop and communication points.
struct TimeSettings {
  explicit TimeSettings(const System& system);
  std::optional<double> start, stop, step, interval, per_decade, first;
  std::vector<double> points;
};

/// Fills in when the run starts, stops and communicates. What the user does not say is taken from
/// the FMU's default experiment, if there is one, or else has a default.
/// @throws Error(usage)
void resolve_time(const TimeSettings& settings, const DefaultExperiment& experiment,
                  RunSetup& setup);

}  // namespace tutti::session
