// SPDX-License-Identifier: BSD-2-Clause
#include <tutti/system_run.hpp>

namespace tutti {

System system_of(const SimulateOptions& options) {
  System system;
  system.is_lone = true;
  Component& component = system.components.emplace_back();
  const bool is_folder = !options.fmu.has_filename();  // written with a slash at the end
  component.name = (is_folder ? options.fmu.parent_path() : options.fmu).stem().string();
  component.fmu = options.fmu;
  component.as = options.kind;
  component.set = options.set;
  component.tolerance = options.tolerance;
  component.solver.name = options.solver;
  component.solver.atol = options.absolute_tolerance;
  component.solver.max_step = options.max_step;
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
