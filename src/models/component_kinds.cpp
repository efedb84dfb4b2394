// SPDX-License-Identifier: BSD-2-Clause
#include "models/component_kinds.hpp"

#include <algorithm>

#include "base/infinity.hpp"
#include "models/cs_model.hpp"
#include "models/me_model.hpp"
#include "system/make_plan.hpp"

namespace tutti::models {
namespace {

/// What a component computes is to be more exact than what the control of steps looks at.
std::optional<double> tolerance_beside_control(const InstanceTask& task) {
  constexpr double part = 0.1;
  if (task.tolerance || !task.controlled_error) return task.tolerance;
  return std::min(part * *task.controlled_error,
                  task.description->default_experiment.tolerance.value_or(infinity));
}

/// What every FMU is asked for.
template <class Options>
Options fmu_options(const InstanceTask& task) {
  Options options;
  options.fmu.name = task.component->name;
  options.fmu.logging = task.component->log;
  options.start = task.start;
  options.inputs = task.inputs;
  options.outputs = task.outputs;
  options.goes_back = task.goes_back;
  return options;
}

std::unique_ptr<Instance> make_cs_model(const InstanceTask& task) {
  auto options = fmu_options<CsModel::Options>(task);
  options.tolerance = tolerance_beside_control(task);
  options.needs = task.needs;
  options.may_save_states = task.may_save_states;
  options.curves = task.curves;
  options.substep = task.substep;
  options.log = *task.log;
  options.fmu.event_mode = task.event_mode;
  options.fmu.early_return = task.early_return;
  return std::make_unique<CsModel>(*task.fmu, std::move(options));
}

std::unique_ptr<Instance> make_me_model(const InstanceTask& task) {
  const SolverSettings& solver = task.component->solver;
  auto options = fmu_options<MeModel::Options>(task);
  options.coupled = !task.follows_tables;
  options.restarts_at_points = solver.at_points == AtPoints::restart;
  options.solver = solvers::find_ode_integrator(solver.name);
  options.rtol = solver.rtol.value_or(
      task.tolerance.value_or(std::min(options.rtol, task.controlled_error.value_or(1))));
  options.atol = solver.atol.value_or(0.01 * options.rtol);
  options.max_step =
      solver.max_step.value_or(task.component->step.value_or(task.is_uniform ? 0 : infinity));
  options.usual_step = task.step;
  if (!task.is_lone) options.tolerance = options.rtol;
  return std::make_unique<MeModel>(*task.fmu, std::move(options), *task.log);
}

bool is_class(const Component& component, const ModelDescription& /*description*/) {
  return component.model != nullptr;
}
bool is_co_simulation(const Component& component, const ModelDescription& description) {
  return !system::is_model_exchange(component, description);
}

/// A new kind of component is a file and a row.
struct ComponentKind {
  bool (*fits)(const Component& component, const ModelDescription& description);
  std::unique_ptr<Instance> (*make)(const InstanceTask& task);
};
constexpr ComponentKind kind_table[] = {
    {is_class, make_class_model},
    {is_co_simulation, make_cs_model},
    {system::is_model_exchange, make_me_model},
};

}  // namespace

std::unique_ptr<Instance> make_instance(const InstanceTask& task) {
  const auto* const kind = std::find_if(
      std::begin(kind_table), std::end(kind_table),
      [&](const ComponentKind& row) { return row.fits(*task.component, *task.description); });
  return kind->make(task);
}

}  // namespace tutti::models
