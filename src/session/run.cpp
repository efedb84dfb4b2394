// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <tutti/system_run.hpp>

#include "base/infinity.hpp"
#include "session/prepared_system.hpp"
#include "session/run_here.hpp"
#include "session/run_state.hpp"
#include "session/session_observers.hpp"
#include "session/worker_call.hpp"
#include "system/component_kind.hpp"
#include "system/package_paths.hpp"

namespace tutti {
namespace {

using session::RowTarget;

RunReport run_in_worker(const System& system, const SystemRunOptions& options,
                        const RowTarget& target, const Log& log) {
  session::WorkerCaller caller(options.worker.host(), options, log);
  session::Opening opening = session::opening_for(system, options, options.open, log, caller);
  if (target.observer != nullptr)
    opening.record =
        target.ports != nullptr ? session::Recording::rows_and_ports : session::Recording::rows;
  if (options.checkpoint) opening.checkpoint_every = options.checkpoint->every;
  if (options.resume) {
    opening.state = options.resume->state;
    opening.set = options.resume->set;
  }
  caller.when([&](const execution::Ring::Message& message) {
    if (message.kind == code(session::Sent::outline))
      target.add_to(caller.drain(), caller.outline());
  });
  const auto finish = [&](RunReport report) { return caller.drain().finish(std::move(report)); };
  try {
    const std::string answer = caller.call(session::Request::run, Packer()(opening));
    return finish(Unpacker(answer).take<RunReport>());
  } catch (const Error&) {
    // Errors before an FMU is loaded are thrown, not reported.
    if (!caller.end() || caller.outline().members.empty()) throw;
    return finish(*caller.end());
  }
}

RunReport run_in_this_process(const System& system, const SystemRunOptions& options,
                              const RowTarget& target, const Log& log) {
  session::RoutedLog routed(log);
  const auto prepared = session::prepare_run(system, options, routed.log());
  session::RunSetup setup = prepared->setup();
  setup.records_ports = target.ports != nullptr;
  if (options.resume)
    session::resume_from(options.resume->state, options.resume->set, *prepared, setup);
  if (options.checkpoint) {
    session::check_writable(*prepared);
    setup.checkpoint_every = options.checkpoint->every;
  }
  return session::run_here(options, setup, target, log, routed);
}

void refuse_checkpoints(const SystemRunOptions& options) {
  if (options.checkpoint &&
      !(options.checkpoint->every > 0 && options.checkpoint->every < infinity))
    throw Error(ErrorCode::usage,
                fmt::format("a checkpoint every {} s of simulated time is not possible",
                            options.checkpoint->every),
                {.key = "every", .hint = "Choose a positive time (%key%)."});
  if (options.ports != nullptr && (options.checkpoint || options.resume))
    throw Error(ErrorCode::usage,
                "%key%: ports cannot be recorded in a run with checkpoints, because a resumed run "
                "cannot append to their file",
                {.key = "results.ports", .hint = "Leave out %key%, or checkpoints."});
  if (options.verify && (options.checkpoint || options.resume))
    throw Error(ErrorCode::usage, "%key% compares whole runs, so checkpoints are not possible",
                {.key = "verify"});
}

}  // namespace

RunReport run(const System& system, const SystemRunOptions& given, Observer* sink, const Log& log) {
  SystemRunOptions options = given;
  if (system::find_object(system) != nullptr) {
    if (options.verify)
      throw Error(
          ErrorCode::capability,
          "%key% runs the system a second time in another process, in which objects of this "
          "program (Component::model) cannot be used",
          {.key = "verify"});
    if (options.own_process)
      log.info("", "some components are C++ classes: all components run in this process, FMUs too");
    options.own_process = false;  // the effects of a caller's object must be visible to the caller
  }
  if (!options.own_process)
    for (const Observer* const observer : {sink, options.ports})
      if (observer != nullptr) session::expect_beside_fmus(*observer);
  refuse_checkpoints(options);
  if (options.verify) return session::run_and_verify(system, options, sink, log);
  const system::PackagePaths paths(system);
  std::optional<session::CheckpointWriter> checkpoints;
  if (options.checkpoint) checkpoints.emplace(system, *options.checkpoint);
  const RowTarget target{sink, options.ports, options.resume ? &*options.resume : nullptr,
                         checkpoints ? &*checkpoints : nullptr};
  RunReport report = paths.during([&] {
    const auto run_it = options.own_process ? run_in_worker : run_in_this_process;
    return run_it(system, options, target, paths.shown(log.once()));
  });
  if (report.end.error) report.end.error = paths.shown(*report.end.error);
  return report;
}

System system_of(const SimulateOptions& options) {
  System system;
  system.is_single_fmu = true;
  Component& component = system.components.emplace_back();
  const bool is_folder = !options.fmu.has_filename();  // the path ends with a slash
  component.name = (is_folder ? options.fmu.parent_path() : options.fmu).stem().string();
  component.fmu = options.fmu;
  component.as = options.kind;
  component.set = options.set;
  component.tolerance = options.tolerance;
  component.solver.name = options.solver;
  component.solver.atol = options.absolute_tolerance;
  component.solver.max_step = options.max_step;
  component.solver.first_step = options.first_step;
  component.solver.options = options.solver_options;
  component.solver.diagnose = options.diagnose;
  component.log = options.fmu_logging;
  component.event_mode = options.event_mode;
  component.early_return = options.early_return;
  system.inputs.file = options.input;
  system.inputs.exact = true;
  SimulationSettings& simulation = system.simulation;
  simulation.start = options.start;
  simulation.stop = options.stop;
  simulation.step = options.step;
  simulation.per_decade = options.per_decade;
  simulation.first = options.first;
  simulation.points = options.points;
  simulation.control.end = LastStep::whole;
  system.results.variables = options.variables;
  system.results.inputs = false;
  system.results.interval = options.interval;
  return system;
}

System system_of(const std::filesystem::path& fmu) {
  SimulateOptions options;
  options.fmu = fmu;
  return system_of(options);
}

RunReport simulate(const SimulateOptions& options, Observer* sink, const Log& log) {
  SystemRunOptions run_options;
  static_cast<RunControl&>(run_options) = options;
  run_options.open = options.open;
  return run(system_of(options), run_options, sink, log);
}

}  // namespace tutti
