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

/// The data of a run that its watcher has, in any process.

namespace tutti::session {

/// One of the instances.
struct Member {
  std::string name;
  bool needs_tool = false;        ///< a tool outside the FMU
  std::optional<double> timeout;  ///< seconds for one step; empty: that of the run
};

struct RunOutline {
  RunReport report;  ///< of a run that has not started
  std::vector<Member> members;
  std::size_t threads = 1;
  std::vector<Column> port_columns;  ///< of recorded ports
};

/// A report for a run that could not report: "t = 0.5 s: component "c" `what`".
RunReport report_for(const RunOutline& outline, const execution::Monitor& monitor,
                     RunEnd::Kind kind, ErrorCode code, const std::string& what,
                     std::string key = "");

/// FMUs that wrap a tool may wait for it, or for a licence, before the run starts.
std::string_view what_it_may_wait_for(const RunOutline& outline, const execution::Monitor& monitor);

/// Seconds that the present call may take; 0: no limit.
double patience_with(const RunOutline& outline, const execution::Monitor& monitor, double usual);

class RunningSystem;

/// Everything a run needs, checked before an FMU is loaded.
struct RunSetup {
  RunOutline outline;
  bool is_single_fmu = false;  ///< a single FMU without a system file
  models::RunNeeds needs;      ///< the run may detect more
  master::Loop::Options time;
  double step = 0;  ///< between communication points; the first one where they differ
  /// Loads the FMUs and records in the monitor the component that it calls. Messages of the run go
  /// to the log.
  std::function<master::MadeIslands(master::Monitor&, std::size_t threads, const models::RunNeeds&)>
      make_islands;
  /// The recorded columns of the system.
  std::function<std::vector<results::Recorder::Choice>(const master::Ensemble&)> choose;
  /// The recording of ports, if `records_ports`; it has columns.
  master::tlm::PortRows::Setup ports;
  bool records_ports = false;
  /// Of a resumed run: restores the state of the initialized system.
  std::function<void(RunningSystem&)> resume;
  double checkpoint_every = 0;  ///< s of simulated time; 0: no checkpoints
  std::function<void(double time, const std::string& state)> write_checkpoint;
};

/// The FMU wraps a tool that must be installed.
bool needs_tool(const ModelDescription& description);

/// The user's settings of start, stop and communication points.
struct TimeSettings {
  explicit TimeSettings(const System& system);
  std::optional<double> start, stop, step, interval, per_decade, first;
  std::vector<double> points;
};

/// Fills in start, stop and communication points. Missing settings are taken from the FMU's default
/// experiment, if there is one, or else have a default.
/// @throws Error(usage)
void resolve_time(const TimeSettings& settings, const DefaultExperiment& experiment,
                  RunSetup& setup);

}  // namespace tutti::session
