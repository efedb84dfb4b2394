// SPDX-License-Identifier: BSD-2-Clause
#include "session/system_setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include "base/text.hpp"
#include "base/time_grid.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/stepping/controllers.hpp"
#include "session/automatic.hpp"
#include "session/run_outline.hpp"
#include "system/cluster.hpp"
#include "system/dependencies.hpp"
#include "system/endpoint.hpp"
#include "system/make_plan.hpp"
#include "system/names.hpp"

namespace tutti::session {
namespace {

using Rollback = master::StepControlEntry::Rollback;

void refuse_uneven_steps(const System& system, const SystemModels& models, const TimeGrid& grid) {
  if (grid.is_even() || grid.step_count() <= 1) return;
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (!system::can_vary_step(system.components[c], *models.descriptions[c]))
      throw Error(ErrorCode::capability,
                  fmt::format("the last step would be shorter than the others, and component "
                              "\"{}\" cannot vary its step",
                              system.components[c].name),
                  {.component = system.components[c].name,
                   .key = "simulation.step",
                   .hint = fmt::format("Choose a step that divides {:.13g} s.",
                                       grid.stop() - grid.start())});
}

/// A component with a fixed step ends with the last whole step before the stop time.
void end_with_whole_step(const System& system, const SystemModels& models, RunSetup& setup,
                         const Log& log) {
  const TimeGrid& grid = setup.time.grid;
  if (grid.is_even() || grid.step_count() == 1) return;
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    if (system::can_vary_step(system.components[c], *models.descriptions[c])) continue;
    constexpr const char* reason =
        "the FMU cannot vary its step (canHandleVariableCommunicationStepSize=\"false\")";
    if (!grid.is_uniform())
      throw Error(ErrorCode::capability,
                  fmt::format("a logarithmic grid has steps of different sizes, and {}", reason),
                  {.component = system.components[c].name, .key = "simulation.per-decade"});
    const double stop = grid.point(grid.step_count() - 1);
    log.warning(
        system.components[c].name,
        fmt::format(
            "the run ends at t = {:.13g} s instead of {:.13g} s: {}, and a step of {:.13g} s does "
            "not divide the time span",
            stop, grid.stop(), reason, setup.step));
    setup.time.grid = TimeGrid(grid.start(), stop, setup.step);
    return;
  }
}

std::string missing_state(const System& system, const SystemModels& models, std::size_t c) {
  return system::missing_ability(system.components[c], *models.descriptions[c],
                                 system::WayBack::any_state);
}

/// Adaptive steps differ in size, and most controllers roll them back.
void refuse_stiff_components(const System& system, const SystemModels& models) {
  const bool needs_rollback =
      master::step_control_of(system.simulation.control).rollback == Rollback::needed;
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Capabilities& used = system::interface_of(system.components[c], *models.descriptions[c]);
    const bool varies = system::can_vary_step(system.components[c], *models.descriptions[c]);
    if (varies && (used.can_save_state || !needs_rollback)) continue;
    const std::string lacks = varies ? missing_state(system, models, c)
                                     : "vary its step (canHandleVariableCommunicationStepSize)";
    throw Error(ErrorCode::capability,
                fmt::format("%key%: component \"{}\" cannot {}, which steps of variable size need",
                            system.components[c].name, lacks),
                {.component = system.components[c].name,
                 .key = "simulation.control",
                 .hint = fmt::format("Use control = \"{}\".", varies ? "predictor" : "fixed")});
  }
}

/// Missing settings follow from the simulated time and the first step.
void resolve_limits(const TimeGrid& grid, ControlSettings& control) {
  const double span = grid.stop() - grid.start(), first = grid.step(0);
  const double least = shortest_step(grid.start(), grid.stop());
  if (control.min && *control.min < least)
    throw Error(ErrorCode::usage,
                fmt::format("%key% = {:.13g} s is too short for time to advance at t = {:.13g} s: "
                            "at least {:.3g} s are needed",
                            *control.min, grid.stop(), least),
                {.key = "simulation.control.min"});
  // PyFMI has no maximum step.
  const bool unlimited =
      control.variant == ControlVariant::pyfmi || control.variant == ControlVariant::textbook;
  const double longest = control.max.value_or(std::max(unlimited ? span : span / 10, first));
  if (!control.min) control.min = std::max(least, std::min({span * 1e-9, first, longest}));
  control.max = std::max(longest, *control.min);
}

void refuse_unsaved_states(const System& system, const SystemModels& models) {
  const SimulationSettings& simulation = system.simulation;
  if (simulation.save_states != SaveStates::always || master::is_free(simulation.control)) return;
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (!system::interface_of(system.components[c], *models.descriptions[c]).can_save_state)
      throw Error(ErrorCode::capability,
                  fmt::format("%key%: component \"{}\" cannot {}", system.components[c].name,
                              missing_state(system, models, c)),
                  {.component = system.components[c].name,
                   .key = "simulation.save-states",
                   .hint = "Leave the key out."});
}

/// All components are in one process. The FMU is the same if token and model identifier are.
void refuse_second_instances(const System& system, const SystemModels& models) {
  std::map<std::pair<std::string, std::string>, const Component*> first;
  const auto check = [&](const Component& component, const ModelDescription& description) {
    const Capabilities& used = system::interface_of(component, description);
    if (!used.only_once_per_process) return;
    const auto [known, is_new] =
        first.emplace(std::pair(description.token, used.model_identifier), &component);
    if (!is_new)
      throw Error(ErrorCode::capability,
                  fmt::format("components \"{}\" and \"{}\": the FMU \"{}\" can be instantiated "
                              "only once per process (canBeInstantiatedOnlyOncePerProcess)",
                              known->second->name, component.name, used.model_identifier),
                  {.component = component.name,
                   .hint = "Export it without this limit, or use a copy with another model "
                           "identifier."});
  };
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const auto& cluster = system.components[c].cluster;
    if (cluster == nullptr) check(system.components[c], *models.descriptions[c]);
    for (std::size_t m = 0; cluster != nullptr && m < cluster->size(); ++m)
      check(cluster->system.components[m], *cluster->descriptions[m]);
  }
}

/// FMI 2.0, 4.2.4 and FMI 3.0, 4.2.1: after an input was set, outputs may only be read again after
/// a step, or in event mode.
void refuse_inconsistent(const System& system, const SystemModels& models,
                         const system::Plan& plan) {
  if (system.simulation.inputs.correct != Correction::consistent) return;
  for (const auto& edge : system::running_dependencies(plan, models.descriptions)) {
    const system::Point& input = plan.coupled[edge.from];
    if (input.component != plan.coupled[edge.to].component) continue;
    const Component& component = system.components[input.component];
    const ModelDescription& description = *models.descriptions[input.component];
    if (system::is_model_exchange(component, description) ||
        system::interface_of(component, description).has_event_mode)
      continue;
    const auto name = [&](const system::Point& point) {
      return description.variables[static_cast<std::size_t>(point.variable)].name;
    };
    throw Error(ErrorCode::capability,
                fmt::format("component \"{}\" ({}): %key% = \"consistent\" recomputes \"{}\" from "
                            "a new \"{}\" at each communication point, which FMI allows in event "
                            "mode only; this FMU has no event mode",
                            component.name, system::source_of(component, description),
                            name(plan.coupled[edge.to]), name(input)),
                system::where(
                    component.place,
                    {.component = component.name,
                     .variable = name(input),
                     .key = "simulation.inputs.correct",
                     .hint = "Use correct = \"linear\", method = \"newton\", which repeats steps, "
                             "or as = \"me\"."}));
  }
}

/// Derivatives that are requested explicitly but not available.
void refuse_missing_derivatives(const System& system, const SystemModels& models) {
  const system::ComponentNames names(system);
  for (const Connection& connection : system.connections) {
    const InputSettings inputs = connection.inputs.over(system.simulation.inputs);
    if (inputs.derivatives != DerivativeSource::fmu || inputs.order == 0) continue;
    const auto c = static_cast<std::size_t>(names.find(connection.from.component));
    const Component& component = system.components[c];
    const ModelDescription& description = *models.descriptions[c];
    if (system::is_model_exchange(component, description) ||
        system::interface_of(component, description).max_output_derivative_order > 0)
      continue;
    throw Error(
        ErrorCode::capability,
        fmt::format("component \"{}\" ({}): derivatives = \"fmu\" needs output derivatives, but "
                    "the FMU provides none (maxOutputDerivativeOrder=\"0\")",
                    component.name, system::source_of(component, description)),
        system::where(connection.place, {.component = component.name,
                                         .variable = connection.from.variable,
                                         .key = "simulation.inputs.derivatives",
                                         .hint = "Use \"auto\" or \"differences\"."}));
  }
}

/// @param methods all that the system has
void note_idle_inputs(const System& system, const std::vector<std::string>& methods,
                      const Log& log) {
  const InputSettings& inputs = system.simulation.inputs;
  if (inputs.smooth && inputs.order == 0)
    log.info("", "simulation.inputs.smooth has no effect with order = 0: constant inputs jump");
  const auto predicts = std::find_if(methods.begin(), methods.end(), master::uses_models);
  if (inputs.correct != Correction::none && predicts != methods.end())
    log.info("", fmt::format("simulation.inputs.correct has no effect in cycles of method {}: it "
                             "predicts inputs with linear models, and corrects its outputs",
                             *predicts));
  // Below fall-back there is one pass per step with any method.
  if (!std::all_of(methods.begin(), methods.end(), master::needs_rollback) ||
      system.simulation.control.fall_back > 0)
    return;
  if (inputs.smooth && inputs.order > 0)
    log.info("", fmt::format("simulation.inputs.smooth has no effect with method {}: inputs with "
                             "known end values are continuous",
                             fmt::join(methods, ", ")));
  if (inputs.correct != Correction::none)
    log.info("", fmt::format("simulation.inputs.correct has no effect beyond simulation.tolerance "
                             "with method {}: iterations end with consistent values",
                             fmt::join(methods, ", ")));
}

void note_idle_control(const System& system, const Log& log) {
  const ControlSettings &control = system.simulation.control, usual;
  std::vector<std::string_view> idle;
  const auto note = [&](std::string_view key, bool is_set) {
    if (is_set) idle.push_back(key);
  };
  const master::StepControlEntry& row = master::step_control_of(control);
  // auto replaces a fixed step, and reports its choice.
  if (!row.chooses_steps && is_automatic(system)) return;
  // MASTERSIM's accumulated steps save states, too.
  if (!row.uses_variant || !master::is_free(control))
    note("variant", control.variant != usual.variant);
  if (!row.uses_estimator) note("estimator", control.estimator.has_value());
  if (!row.chooses_steps) {
    note("atol", control.atol != usual.atol);
    note("rtol", control.rtol != usual.rtol);
    note("min", control.min.has_value());
    note("max", control.max.has_value());
    note("at-min", control.at_min != usual.at_min);
    note("safety", control.safety.has_value());
    note("shrink", control.shrink.has_value());
    note("grow", control.grow.has_value());
  }
  if (!idle.empty())
    log.info("",
             fmt::format("simulation.control: {} {} no effect with control = \"{}\"",
                         fmt::join(idle, ", "), idle.size() == 1 ? "has" : "have", control.name));
}

bool can_be_recorded(const Variable& variable) {
  return variable.type != Type::clock && variable.causality != Causality::independent;
}

/// The part before the first wildcard is compatible with the prefix.
bool may_start_with(std::string_view pattern, std::string_view prefix) {
  const std::size_t count = std::min(pattern.find_first_of("*?"), prefix.size());
  return prefix.starts_with(pattern.substr(0, count));
}

[[noreturn]] void refuse_pattern(const System& system, const SystemModels& models,
                                 const std::string& pattern) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < system.components.size(); ++c)
    for (const Variable& variable : models.descriptions[c]->variables)
      if (can_be_recorded(variable)) names.push_back(system.qualified(c, variable.name));
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw Error(
      ErrorCode::usage,
      fmt::format("{} matches \"{}\".", system.is_single_fmu ? "no variable" : "%key%: nothing",
                  printable(pattern)),
      {.variable = pattern, .key = "results.variables", .hint = did_you_mean(pattern, known)});
}

}  // namespace

void resolve_time(const System& system, const SystemModels& models, RunSetup& setup,
                  const Log& log) {
  const ControlSettings& control = system.simulation.control;
  resolve_time(
      TimeSettings(system),
      system.is_single_fmu ? models.descriptions.front()->default_experiment : DefaultExperiment{},
      setup);
  setup.time.notes_steps = system.results.steps;
  setup.time.control = control;
  const bool chooses_steps = master::step_control_of(control).chooses_steps;
  if (!chooses_steps && control.end == LastStep::whole)
    end_with_whole_step(system, models, setup, log);
  else if (!chooses_steps && control.end == LastStep::exact)
    refuse_uneven_steps(system, models, setup.time.grid);
  if (!master::is_free(control)) return;
  if (chooses_steps) refuse_stiff_components(system, models);
  resolve_limits(setup.time.grid, setup.time.control);
  if (chooses_steps)
    setup.step = std::clamp(setup.step, *setup.time.control.min, *setup.time.control.max);
  setup.time.interval = system.results.interval;
}

void check_abilities(const System& system, const SystemModels& models, const system::Plan& plan) {
  refuse_inconsistent(system, models, plan);
  refuse_missing_derivatives(system, models);
  refuse_unsaved_states(system, models);
  refuse_second_instances(system, models);
}

void note_idle_settings(const System& system, const Log& log) {
  std::vector<std::string> methods = system.simulation.methods;
  for (const CycleSettings& cycle : system.cycles)
    methods.insert(methods.end(), cycle.methods.begin(), cycle.methods.end());
  // A fallback may use them.
  const auto note = [&](std::string_view setting, bool master::CouplingEntry::*uses) {
    for (const std::string& method : methods)
      if (const auto* const row = master::find_coupling_method(method); !row || row->*uses) return;
    log.info("", fmt::format("{} has no effect with method {}", setting, fmt::join(methods, ", ")));
  };
  using Row = master::CouplingEntry;
  const SimulationSettings& simulation = system.simulation;
  if (simulation.aitken) note("simulation.relaxation = \"aitken\"", &Row::sweeps);
  if (simulation.relaxation.value_or(1) != 1) note("simulation.relaxation", &Row::relaxes);
  if (simulation.sweeps != Sweeps::seidel) note("simulation.sweeps", &Row::sweeps);
  note_idle_inputs(system, methods, log);
  note_idle_control(system, log);
}

void note_idle_solvers(const System& system, const SystemModels& models, const Log& log) {
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Component& component = system.components[c];
    const SolverSettings &solver = component.solver, usual;
    const bool is_set = solver.name != usual.name || solver.rtol || solver.atol ||
                        solver.max_step || solver.first_step || !solver.options.empty() ||
                        solver.at_points != usual.at_points;
    if (is_set && models.descriptions[c] != nullptr &&
        !system::is_model_exchange(component, *models.descriptions[c]))
      log.info(component.name,
               fmt::format("components.{}.solver has no effect: a co-simulation FMU contains its "
                           "own solver. as = \"me\" would use this one.",
                           component.name));
  }
}

void note_components_without_curves(const System& system, const SystemModels& models,
                                    std::span<const std::vector<std::int32_t>> inputs,
                                    const Log& log) {
  if (!system.has_varying_inputs()) return;
  for (std::size_t c = 0; c < inputs.size(); ++c) {
    const ModelDescription& description = *models.descriptions[c];
    if (!system::any_moves(description, inputs[c]) ||
        system::follows_inputs(system.components[c], description, inputs[c]))
      continue;
    const char* const lacks = description.version != FmiVersion::v3 ? "canInterpolateInputs"
                              : description.co_simulation->provides_intermediate_update
                                  ? "intermediateUpdate of its inputs"
                                  : "providesIntermediateUpdate";
    log.info(system.components[c].name,
             fmt::format("the FMU cannot follow inputs inside a step ({}): it gets their values in "
                         "the middle of each step",
                         lacks));
  }
}

void note_components_without_rollback(const System& system, const SystemModels& models,
                                      const Log& log) {
  if (master::step_control_of(system.simulation.control).rollback != Rollback::if_possible) return;
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (!system::interface_of(system.components[c], *models.descriptions[c]).can_save_state)
      log.info(system.components[c].name,
               fmt::format("the FMU cannot {}: steps with too large an error are not repeated, "
                           "only followed by shorter ones",
                           missing_state(system, models, c)));
}

std::vector<double> find_substeps(const System& system, double step) {
  std::vector<double> substeps;
  for (const Component& component : system.components) {
    const double own = component.step.value_or(step);
    const double ratio = step / own;
    if (ratio < 1 - 1e-9 || std::abs(ratio - std::round(ratio)) > 1e-9 * ratio)
      throw Error(
          ErrorCode::usage,
          fmt::format(
              "%key% = {:.13g} s: the system's step of {:.13g} s is not an integer multiple "
              "of it",
              own, step),
          system::where(component.cluster != nullptr ? component.place : Place(),
                        {.component = component.name, .key = system::key_of(component, "step")}));
    substeps.push_back(std::round(ratio) > 1 ? own : 0);
  }
  return substeps;
}

std::vector<std::vector<std::int32_t>> recorded_variables(const System& system,
                                                          const SystemModels& models,
                                                          const system::Plan& plan) {
  std::vector<std::unordered_set<std::int32_t>> driven(system.components.size());
  for (const system::Link& link : plan.links) driven[link.to.component].insert(link.to.variable);
  for (const system::ExternalInput& external : plan.external)
    driven[external.to.component].insert(external.to.variable);
  for (std::size_t c = 0; c < system.components.size(); ++c)
    if (const auto& cluster = system.components[c].cluster)
      for (const system::Link& link : cluster->plan.links)
        driven[c].insert(cluster->whole(link.to.component, link.to.variable));

  const std::vector<std::string>& patterns = system.results.variables;
  std::vector<bool> used(patterns.size());
  std::vector<std::vector<std::int32_t>> recorded(system.components.size());
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const auto& variables = models.descriptions[c]->variables;
    const std::string prefix = system.qualified(c, "");
    std::vector<std::size_t> possible;
    for (std::size_t k = 0; k < patterns.size(); ++k)
      if (may_start_with(patterns[k], prefix)) possible.push_back(k);
    if (!patterns.empty() && possible.empty()) continue;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const auto index = static_cast<std::int32_t>(i);
      if (!can_be_recorded(variables[i])) continue;
      bool wanted = patterns.empty() && !system.results.only_time &&
                    (variables[i].causality == Causality::output ||
                     (system.results.inputs && driven[c].contains(index)));
      const std::string name = possible.empty() ? "" : prefix + variables[i].name;
      for (const std::size_t k : possible) {
        // `y[1]` chooses the array y: arrays are recorded whole.
        const std::string_view pattern = patterns[k];
        if (pattern == name || glob_match(pattern, name) ||
            (variables[i].is_array() && pattern.substr(0, pattern.rfind('[')) == name))
          wanted = used[k] = true;
      }
      if (wanted) recorded[c].push_back(index);
    }
  }
  for (std::size_t k = 0; k < patterns.size(); ++k)
    if (!used[k]) refuse_pattern(system, models, patterns[k]);
  return recorded;
}

}  // namespace tutti::session
