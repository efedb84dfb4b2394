// SPDX-License-Identifier: BSD-2-Clause
#include "models/component_kinds.hpp"

#include <algorithm>

#include "base/infinity.hpp"
#include "fmi/file_cache.hpp"
#include "models/cs_model.hpp"
#include "models/me_model.hpp"
#include "system/cluster.hpp"
#include "system/make_plan.hpp"

namespace tutti::models {
namespace {

/// The integration error of a component must be smaller than the error that step control estimates.
std::optional<double> tolerance_beside_control(const InstanceTask& task) {
  constexpr double part = 0.1;
  if (task.tolerance || !task.controlled_error) return task.tolerance;
  return std::min(part * *task.controlled_error,
                  task.description->default_experiment.tolerance.value_or(infinity));
}

/// Options common to all FMUs.
template <class Options>
Options fmu_options(const InstanceTask& task) {
  Options options;
  options.fmu.name = task.component->name;
  options.fmu.logging = task.component->log;
  options.start = task.start;
  options.inputs = task.inputs;
  options.outputs = task.outputs;
  options.goes_back = task.goes_back;
  options.boundary = task.boundary;
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

bool is_cluster(const Component& component, const ModelDescription* /*description*/) {
  return component.cluster != nullptr;
}

std::shared_ptr<const ModelDescription> describe_whole(const Component& component,
                                                       const std::filesystem::path& /*file*/,
                                                       const FmuOptions& /*options*/,
                                                       const Log& /*log*/) {
  return {component.cluster, &component.cluster->description};
}

std::unique_ptr<Instance> make_me_model(const InstanceTask& task) {
  const SolverSettings& solver = task.component->solver;
  auto options = fmu_options<MeModel::Options>(task);
  options.coupled = !task.follows_tables;
  options.restarts_at_points = solver.at_points == AtPoints::restart;
  options.is_cluster = task.component->cluster != nullptr;
  options.runs_ahead = options.is_cluster && task.inputs.empty() && task.boundary == nullptr;
  options.solver = solvers::find_ode_integrator(solver.name);
  options.rtol = solver.rtol.value_or(
      task.tolerance.value_or(std::min(options.rtol, task.controlled_error.value_or(1))));
  options.atol = solver.atol.value_or(0.01 * options.rtol);
  options.max_step =
      solver.max_step.value_or(task.component->step.value_or(task.is_uniform ? 0 : infinity));
  // Not every FMU reports where its equations jump, so no step is longer than what the grid of
  // communication points would have shown.
  if (options.runs_ahead && options.max_step == 0) options.max_step = task.step;
  // The slopes of algebraic unknowns at the start are not known. An error test that includes them
  // passes only if the first step is short.
  constexpr double shortest = 1e-6;  // of the communication step
  const auto& known = options.solver->options;
  const bool tests_unknowns =
      options.is_cluster && task.component->cluster->loops == ClusterLoops::dae &&
      std::ranges::find_if(known, [](const solvers::OptionRow& row) {
        return std::string_view(row.name) == "suppress_alg";  // one that can leave them out
      }) != known.end();
  options.first_step = solver.first_step.value_or(tests_unknowns ? shortest * task.step : 0);
  options.solver_options = solver.options;
  options.diagnose = solver.diagnose;
  options.usual_step = task.step;
  if (!task.is_single_fmu) options.tolerance = options.rtol;
  return std::make_unique<MeModel>(*task.fmu, std::move(options), *task.log);
}

bool is_co_simulation(const Component& component, const ModelDescription* description) {
  return description == nullptr || !system::is_model_exchange(component, *description);
}
bool is_model_exchange(const Component& component, const ModelDescription* description) {
  return !is_co_simulation(component, description);
}

std::shared_ptr<const ModelDescription> describe_fmu(const Component& component,
                                                     const std::filesystem::path& file,
                                                     const FmuOptions& options, const Log& log) {
  refuse_idle_settings(component);
  return fmi::description_of(file, options, log);
}

constexpr std::string_view of_fmu;  // it depends on the version of FMI

}  // namespace

std::unique_ptr<Instance> make_instance(const InstanceTask& task) {
  return system::kind_of(*task.component, task.description).make(task);
}

}  // namespace tutti::models

namespace tutti::system {

std::span<const ComponentKind> component_kinds() {
  using namespace models;
  // clang-format off
  static const ComponentKind table[] = {
      class_kind,
      built_in_kind,
      {"cluster", "cluster", Origin::cluster, of_fmu, of_fmu, is_cluster, describe_whole,
       make_me_model, "model-exchange FMUs that are solved together, by one solver",
       {"[[clusters]] of = [\"a\", \"b\"] names the members, simulation.monolithic = true takes all that are connected. The connections between them are part of the equations, so nothing is coupled and nothing extrapolated; algebraic loops are solved at every evaluation, or by the solver (loops = \"dae\"). To all other components a cluster is one model-exchange component.", "docs/algorithms/clusters.md"}},
      {"co-simulation FMU", "FMU", Origin::file, of_fmu, of_fmu, is_co_simulation, describe_fmu,
       make_cs_model, "an FMU that brings its own solver",
       {"components.NAME.fmu names the file. The FMU computes each communication step itself, with the inputs of that step. Coupling methods that repeat steps need FMUs that save and restore their state (canGetAndSetFMUstate), step control needs FMUs that vary their step. FMI 1.0, 2.0 and 3.0.", "docs/simulate.md"}},
      {"model-exchange FMU", "FMU", Origin::file, of_fmu, of_fmu, models::is_model_exchange, describe_fmu,
       make_me_model, "an FMU that provides its equations, with a solver of Tutti's",
       {"components.NAME.fmu names the file, as = \"me\" takes this interface where the FMU has both, and solver chooses the integrator. Its events are located, and its state can always be saved, so every coupling method and step control can be used. FMI 1.0, 2.0 and 3.0.", "docs/simulate.md"}},
  };
  // clang-format on
  return table;
}

const ComponentKind& kind_of(const Component& component, const ModelDescription* description) {
  return *std::ranges::find_if(component_kinds(), [&](const ComponentKind& kind) {
    return kind.fits(component, description);
  });
}

std::shared_ptr<const ModelDescription> description_of(const Component& component,
                                                       const std::filesystem::path& folder,
                                                       const FmuOptions& options, const Log& log) {
  const ComponentKind& kind = kind_of(component);
  const auto& file = kind.origin == Origin::file ? component.fmu : component.built_in.file;
  return kind.describe(component, folder / file, options, log);
}

const Component* find_object(const System& system) {
  const auto found = std::ranges::find_if(system.components, [](const Component& component) {
    return kind_of(component).origin == Origin::object;
  });
  return found == system.components.end() ? nullptr : &*found;
}

}  // namespace tutti::system
