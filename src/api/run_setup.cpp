// SPDX-License-Identifier: BSD-2-Clause
#include "api/run_setup.hpp"
#include "base/infinity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "api/run_time.hpp"
#include "base/csv.hpp"
#include "base/text.hpp"
#include "models/cs_model.hpp"
#include "models/input_table.hpp"
#include "models/me_model.hpp"

namespace tutti::api {
namespace {

constexpr double default_tolerance = 1e-6;

/// The interface to use, or a message that says what the FMU has instead.
bool takes_model_exchange(const ModelDescription& description, FmuKind kind) {
  if (kind == FmuKind::model_exchange && !description.model_exchange)
    throw Error(ErrorCode::capability,
                "the FMU has no model-exchange interface; leave --type me out");
  if (kind == FmuKind::co_simulation && !description.co_simulation)
    throw Error(ErrorCode::capability,
                fmt::format("model \"{}\" has no co-simulation interface{}", description.model_name,
                            description.model_exchange ? "; try --type me" : ""));
  if (!description.co_simulation && !description.model_exchange)
    throw Error(ErrorCode::capability,
                fmt::format("model \"{}\" has neither co-simulation nor model exchange{}",
                            description.model_name,
                            description.scheduled_execution
                                ? ", only scheduled execution, which cannot be simulated yet"
                                : ""));
  return kind == FmuKind::model_exchange || !description.co_simulation;
}

bool is_recordable(const Variable& variable) {
  return variable.type != Type::clock && variable.causality != Causality::independent;
}

std::vector<std::int32_t> select_variables(const ModelDescription& description,
                                           const std::vector<std::string>& patterns, const Log& log,
                                           const std::string& component) {
  std::vector<std::int32_t> selected;
  std::vector<bool> used(patterns.size());
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (!is_recordable(variable)) continue;
    bool wanted = patterns.empty() && variable.causality == Causality::output;
    for (std::size_t k = 0; k < patterns.size(); ++k) {
      // `y[1]` chooses the array y: arrays are recorded whole.
      const std::string_view pattern = patterns[k];
      const std::string_view array = pattern.substr(0, pattern.rfind('['));
      if (pattern != variable.name && !glob_match(pattern, variable.name) &&
          !(variable.is_array() && array == variable.name))
        continue;
      wanted = used[k] = true;
    }
    if (wanted) selected.push_back(static_cast<std::int32_t>(i));
  }
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    if (used[k]) continue;
    std::vector<std::string_view> names;
    for (const Variable& variable : description.variables) names.push_back(variable.name);
    throw Error(ErrorCode::usage, fmt::format("no variable matches \"{}\".{}", patterns[k],
                                              did_you_mean(patterns[k], names)));
  }
  if (selected.empty())
    log.info(component, "the model has no outputs to record; choose variables with --variables");
  return selected;
}

/// An FMU with steps of one size only ends with the last whole step before the stop time.
void end_with_a_whole_step(RunSetup& setup, bool can_vary_step, const Log& log) {
  const TimeGrid& grid = setup.time.grid;
  if (can_vary_step || grid.is_even() || grid.step_count() == 1) return;
  constexpr const char* reason =
      "the FMU cannot vary its step (canHandleVariableCommunicationStepSize=\"false\")";
  if (!grid.is_uniform())
    throw Error(ErrorCode::capability,
                fmt::format("a logarithmic grid has steps of all sizes, and {}", reason));
  const double stop = grid.point(grid.step_count() - 1);
  log.warning(
      setup.members.front().name,
      fmt::format(
          "the run ends at t = {:.13g} s instead of {:.13g} s: {}, and a step of {:.13g} s does "
          "not divide the time span",
          stop, grid.stop(), reason, setup.step));
  setup.time.grid = TimeGrid(grid.start(), stop, setup.step);
}

/// What co-simulation needs to know, and its refusals.
models::CsModel::Options co_simulation_options(const SimulateOptions& options,
                                               const RunSetup& setup,
                                               const Capabilities& capabilities,
                                               const models::InputTable& inputs, const Log& log) {
  const TimeGrid& grid = setup.time.grid;
  const bool jumps = inputs.next_jump(grid.start()) <= grid.stop();
  if (jumps && !capabilities.can_vary_step)
    log.warning(setup.members.front().name,
                "inputs jump, but the FMU cannot vary its step: jumps between communication points "
                "take effect at the next one");
  if (options.event_mode == EventMode::on && !capabilities.has_event_mode)
    throw Error(ErrorCode::capability, "the FMU has no event mode (hasEventMode, FMI 3.0)");
  if (options.early_return && !capabilities.might_return_early)
    throw Error(ErrorCode::capability,
                "the FMU never returns early from a step (mightReturnEarlyFromDoStep, FMI 3.0)");
  models::CsModel::Options model;
  model.fmu.name = setup.members.front().name;
  model.fmu.logging = options.fmu_logging;
  model.fmu.event_mode =
      capabilities.has_event_mode && (options.event_mode == EventMode::on ||
                                      (options.event_mode == EventMode::automatic && jumps));
  model.fmu.early_return = options.early_return;
  return model;
}

models::MeModel::Options model_exchange_options(const SimulateOptions& options, RunSetup& setup) {
  models::MeModel::Options model;
  model.fmu.name = setup.members.front().name;
  model.fmu.logging = options.fmu_logging;
  model.solver = solvers::find_ode_integrator(options.solver);
  if (model.solver == nullptr) {
    std::vector<std::string_view> names;
    for (const solvers::OdeEntry& entry : solvers::ode_integrators()) names.push_back(entry.name);
    throw Error(ErrorCode::usage,
                fmt::format("there is no solver \"{}\"; there are {}.{}", options.solver,
                            fmt::join(names, ", "), did_you_mean(options.solver, names)));
  }
  const bool positive =
      options.absolute_tolerance.value_or(1) > 0 && options.max_step.value_or(1) > 0;
  if (!positive)
    throw Error(ErrorCode::usage, "absolute tolerance and largest step must be positive");
  model.rtol = setup.time.tolerance.value_or(default_tolerance);
  model.atol = options.absolute_tolerance.value_or(0.01 * model.rtol);
  model.max_step = options.max_step.value_or(setup.time.grid.is_uniform() ? 0 : infinity);
  model.usual_step = setup.step;
  // FMI 2.0, 2.1.6: the tolerance tells the FMU that the integration around it is controlled by it.
  if (!model.solver->fixed_step) setup.time.tolerance = model.rtol;
  return model;
}

}  // namespace

bool needs_tool(const ModelDescription& description) {
  const auto needs = [](const std::optional<Capabilities>& interface) {
    return interface && interface->needs_execution_tool;
  };
  return needs(description.co_simulation) || needs(description.model_exchange);
}

RunSetup prepare_run(const SimulateOptions& options, const Log& log) {
  RunSetup setup;
  const std::shared_ptr<fmi::Fmu> fmu = fmi::Fmu::open(options.fmu, options.open, log);
  const ModelDescription& description = fmu->description();
  const bool model_exchange = takes_model_exchange(description, options.kind);
  const bool folder = !options.fmu.has_filename();  // written with a slash at the end
  setup.members = {{(folder ? options.fmu.parent_path() : options.fmu).stem().string(),
                    needs_tool(description),
                    {}}};
  setup.model = description.model_name;
  setup.version = description.version;
  setup.model_exchange = model_exchange;
  resolve_time(options, description.default_experiment, setup);
  if (!model_exchange) end_with_a_whole_step(setup, description.co_simulation->can_vary_step, log);

  std::vector<models::Assignment> assignments;
  for (const auto& [name, value] : options.set) assignments.push_back({name, value});
  models::StartValues start(description, assignments);
  models::InputTable inputs;
  if (!options.input.empty())
    inputs = models::InputTable(CsvTable::read(options.input), description, start.structure());
  inputs.align(setup.time.grid);
  const auto outputs =
      select_variables(description, options.variables, log, setup.members.front().name);
  setup.columns =
      results::columns_of(models::ValueSet(description, outputs, start.structure()), description);

  const auto complete = [&](auto model) {
    model.start = std::move(start);
    model.inputs = inputs.variables();
    model.outputs = outputs;
    return model;
  };
  setup.choose = [](const master::Island& island) {
    return std::vector{results::Recorder::all_of(island.instance(0).outputs())};
  };
  const auto alone = [&log](std::unique_ptr<models::Instance> instance, const auto& table) {
    return std::make_unique<master::Island>(std::move(instance), table, &log);
  };
  if (model_exchange)
    setup.make_island = [fmu, &log, alone, inputs,
                         model = complete(model_exchange_options(options, setup))](
                            auto, const models::RunNeeds&) {
      return alone(std::make_unique<models::MeModel>(*fmu, model, log), inputs);
    };
  else
    setup.make_island = [fmu, alone, inputs,
                         model = complete(co_simulation_options(
                             options, setup, *description.co_simulation, inputs, log))](
                            auto, const models::RunNeeds& needs) {
      models::CsModel::Options own = model;
      own.needs = needs.of(fmu->description());
      return alone(std::make_unique<models::CsModel>(*fmu, own), inputs);
    };
  fmu->ensure_runnable(setup.members.front().name,
                       model_exchange ? *description.model_exchange : *description.co_simulation);
  return setup;
}

}  // namespace tutti::api
