// SPDX-License-Identifier: BSD-2-Clause
#include "session/supported.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "formats/toml/read.hpp"
#include "master/coupling/coupling_method.hpp"
#include "master/stepping/controllers.hpp"
#include "models/built_in/built_in.hpp"
#include "session/automatic.hpp"
#include "solvers/ode/ode.hpp"
#include "system/make_plan.hpp"

namespace tutti::session {

formats::Words known_words() {
  formats::Words words;
  for (const master::CouplingEntry& entry : master::coupling_methods())
    words.methods.push_back(entry.name);
  for (const solvers::OdeEntry& entry : solvers::ode_integrators()) {
    words.solvers.emplace_back(entry.name);
    for (const solvers::OptionRow& option : entry.options)
      words.solver_options.emplace_back(option.name);
  }
  for (const master::StepControlEntry& entry : master::step_controls())
    words.controls.push_back(entry.name);
  for (const models::BuiltInEntry& entry : models::built_ins())
    words.built_ins.push_back(entry.name);
  return words;
}

void check_supported(const System& system, system::Problems& problems) {
  formats::check_settings(system, known_words(), problems);
  if (system.simulation.methods.empty())
    problems.add("%key% is empty: choose a coupling method", {.key = "simulation.method"});
  if (!problems.empty()) return;
  const ControlSettings& control = system.simulation.control;
  const auto check_list = [&](const std::vector<std::string>& methods, const Place& place) {
    for (std::size_t i = 0; i + 1 < methods.size(); ++i)
      if (!master::needs_rollback(methods[i]))
        problems.add(
            place,
            fmt::format("a method that does not converge falls back on the next one in the list, "
                        "but \"{}\" does not iterate: the methods after it would never be used",
                        methods[i]),
            {.key = "simulation.method", .hint = "Put it last."});
  };
  if (!is_automatic(system)) check_list(system.simulation.methods, {});
  for (const CycleSettings& cycle : system.cycles) check_list(cycle.methods, cycle.place);
  if (control.min && control.max && *control.min > *control.max)
    problems.add(fmt::format("simulation.control: min = {:.13g} s is larger than max = {:.13g} s",
                             *control.min, *control.max),
                 {.key = "simulation.control.min"});
  if (master::step_control_of(control).tests_errors && control.atol == 0 && control.rtol == 0)
    problems.add("simulation.control: atol and rtol must not both be 0",
                 {.key = "simulation.control.rtol"});
  if (control.shrink && !(*control.shrink < 1))
    problems.add(
        fmt::format("%key% = {} must be below 1: it reduces a failed step", *control.shrink),
        {.key = "simulation.control.shrink"});
  if (control.grow && !(*control.grow >= 1))
    problems.add(fmt::format("%key% = {} must be at least 1", *control.grow),
                 {.key = "simulation.control.grow"});
  if (control.safety && !(*control.safety <= 1))
    problems.add(fmt::format("%key% = {} must be at most 1", *control.safety),
                 {.key = "simulation.control.safety"});
}

void refuse_missing_interface(const System& system, const ModelDescription& fmu) {
  const FmuKind kind = system.components.front().as;
  if (kind == FmuKind::model_exchange && !fmu.model_exchange)
    throw Error(ErrorCode::capability,
                "the FMU has no model-exchange interface; leave %key% me out", {.key = "type"});
  if (kind == FmuKind::co_simulation && !fmu.co_simulation)
    throw Error(ErrorCode::capability,
                fmt::format("model \"{}\" has no co-simulation interface{}", fmu.model_name,
                            fmu.model_exchange ? "; try %key% me" : ""),
                {.key = "type"});
  if (!fmu.co_simulation && !fmu.model_exchange)
    throw Error(
        ErrorCode::capability,
        fmt::format("model \"{}\" has neither co-simulation nor model exchange{}", fmu.model_name,
                    fmu.scheduled_execution
                        ? ", only scheduled execution, which cannot be simulated yet"
                        : ""));
}

void refuse_missing_events(const Component& given, const Capabilities& used) {
  if (given.event_mode == EventMode::on && !used.has_event_mode)
    throw Error(ErrorCode::capability, "the FMU has no event mode (hasEventMode, FMI 3.0)",
                {.component = given.name, .key = "event-mode"});
  if (given.early_return && !used.might_return_early)
    throw Error(ErrorCode::capability,
                "the FMU never returns early from a step (mightReturnEarlyFromDoStep, FMI 3.0)",
                {.component = given.name, .key = "early-return"});
}

namespace {

std::vector<std::string_view> solvers_for_fmus() {
  std::vector<std::string_view> names;
  for (const solvers::OdeEntry& entry : solvers::ode_integrators())
    if (entry.solves(OdeForm::explicit_ode)) names.emplace_back(entry.name);
  return names;
}

const solvers::OdeEntry& solver_of(const Component& component) {
  const std::string& name = component.solver.name;
  const solvers::OdeEntry* const entry = solvers::find_ode_integrator(name);
  const auto refuse = [&](ErrorCode code, std::string_view why, std::string hint) {
    throw Error(code,
                fmt::format("{} Expected one of: {}.", why, fmt::join(solvers_for_fmus(), ", ")),
                {.component = component.name, .key = "solver", .hint = std::move(hint)});
  };
  if (entry == nullptr)
    refuse(ErrorCode::usage, fmt::format("there is no solver \"{}\".", name),
           did_you_mean(name, solvers_for_fmus()));
  if (!entry->solves(OdeForm::explicit_ode))
    refuse(ErrorCode::capability,
           fmt::format("solver {} cannot be used for an FMU, whose equations are explicit: x' = "
                       "f(t, x).",
                       name),
           "");
  return *entry;
}

void check_solver_options(const Component& component, const solvers::OdeEntry& entry) {
  try {
    const solvers::OptionValues checked(entry.name, entry.options, component.solver.options);
  } catch (const Error& error) {
    ErrorRecord record = error.record();
    const std::string option = record.details.key.substr(record.details.key.find('.') + 1);
    record.details.component = component.name;
    record.details.key = fmt::format("components.{}.solver.options.{}", component.name, option);
    throw Error(std::move(record)).within("%key%");
  }
}

}  // namespace

void check_solvers(const System& system, const SystemModels& models) {
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Component& component = system.components[c];
    if (!system::is_model_exchange(component, *models.descriptions[c])) continue;
    check_solver_options(component, solver_of(component));
    const SolverSettings& solver = component.solver;
    for (const auto& [value, key] : {std::pair(solver.atol, "atol"),
                                     {solver.max_step, "max-step"},
                                     {solver.first_step, "first-step"}})
      if (!(value.value_or(1) > 0))
        throw Error(ErrorCode::usage, "%key% must be positive",
                    {.component = component.name,
                     .key = fmt::format("components.{}.solver.{}", component.name, key)});
  }
}

}  // namespace tutti::session
