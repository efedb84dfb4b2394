// SPDX-License-Identifier: BSD-2-Clause
#include "api/component_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::api {
namespace {

constexpr std::string_view linear_implicit = "linear-implicit";

bool uses_models(const std::vector<std::string>& methods) {
  return std::find(methods.begin(), methods.end(), linear_implicit) != methods.end();
}

/// The methods of a cycle: its own, or those of the system.
const std::vector<std::string>& methods_of(const System& system, const CycleModels& cycle) {
  for (const CycleSettings& settings : system.cycles)
    if (!settings.methods.empty() &&
        std::is_permutation(settings.of.begin(), settings.of.end(), cycle.interface.names.begin(),
                            cycle.interface.names.end()))
      return settings.methods;
  return system.simulation.methods;
}

void refuse_unknown_states(const System& system, const CycleModels& cycle) {
  for (std::size_t i = 0; i < cycle.components.size(); ++i) {
    const analysis::Linearization& known = cycle.components[i];
    if (known.has_states) continue;
    const Component& component = system.components[cycle.interface.components[i]];
    throw Error(ErrorCode::capability,
                fmt::format("component \"{}\" ({}): method \"{}\" needs a linear model of it, and "
                            "its states are not known{}. Use method = \"newton\" or "
                            "\"gauss-seidel\", or export the FMU with its model-exchange "
                            "interface.",
                            component.name, component.fmu.filename().string(), linear_implicit,
                            known.notes.empty() ? "" : " (" + list_some(known.notes, "; ") + ")"));
  }
}

}  // namespace

bool needs_models(const System& system) {
  return uses_models(system.simulation.methods) ||
         std::any_of(system.cycles.begin(), system.cycles.end(),
                     [](const CycleSettings& cycle) { return uses_models(cycle.methods); });
}

ComponentModels component_models(const System& system, std::span<const CycleModels> cycles,
                                 double time) {
  ComponentModels models(system.components.size());
  for (const CycleModels& cycle : cycles)
    for (std::size_t i = 0; i < cycle.components.size(); ++i) {
      const analysis::Linearization& from = cycle.components[i];
      if (!from.has_states) continue;
      master::ComponentModel& model = models[cycle.interface.components[i]].emplace();
      model.system = from.system;
      for (const auto& u : cycle.interface.u[i]) model.u.push_back({u.variable, u.element});
      for (const auto& y : cycle.interface.y[i]) model.y.push_back({y.variable, y.element});
      model.slopes = from.drift;
      model.time = time;
    }
  return models;
}

ComponentModels find_component_models(const System& system, const SystemRunOptions& options) {
  AdviseOptions questions;
  static_cast<RunControl&>(questions) = options;
  questions.open = options.open;
  questions.step_count = 0;
  const ModelledAdvice known = advise_with_models(system, questions, Log());
  for (const CycleModels& cycle : known.models)
    if (uses_models(methods_of(system, cycle))) refuse_unknown_states(system, cycle);
  return component_models(system, known.models, known.advice.time);
}

}  // namespace tutti::api
