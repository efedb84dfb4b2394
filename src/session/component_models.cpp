// SPDX-License-Identifier: BSD-2-Clause
#include "session/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "master/coupling/coupling_method.hpp"
#include "system/component_kind.hpp"
#include "system/endpoint.hpp"

namespace tutti::session {
namespace {

using Methods = std::vector<std::string>;

bool need_models(const Methods& methods) {
  return std::any_of(methods.begin(), methods.end(), master::uses_models);
}

/// The methods of a cycle: its own, or those of the system.
const Methods& methods_in(const System& system, const CycleModels& cycle) {
  for (const CycleSettings& settings : system.cycles)
    if (!settings.methods.empty() &&
        std::is_permutation(settings.of.begin(), settings.of.end(), cycle.interface.names.begin(),
                            cycle.interface.names.end()))
      return settings.methods;
  return system.simulation.methods;
}

void refuse_unknown_states(const System& system, const CycleModels& cycle, const Methods& methods) {
  const auto method = std::find_if(methods.begin(), methods.end(), master::uses_models);
  if (method == methods.end()) return;
  for (std::size_t i = 0; i < cycle.components.size(); ++i) {
    const analysis::Linearization& known = cycle.components[i];
    if (known.has_states) continue;
    const Component& component = system.components[cycle.interface.components[i]];
    throw Error(ErrorCode::capability,
                fmt::format("component \"{}\" ({}): method \"{}\" needs a linear model of the "
                            "component, but its states are unknown{}",
                            component.name, system::source_of(component), *method,
                            known.notes.empty() ? "" : " (" + list_some(known.notes, "; ") + ")"),
                {.component = component.name,
                 .key = "simulation.method",
                 .hint = std::string("Use method = \"newton\" or \"gauss-seidel\"") +
                         (system::kind_of(component).origin == system::Origin::file
                              ? ", or export the FMU with its model-exchange interface."
                              : ".")});
  }
}

void add_models(std::span<const CycleModels> found, double time, ComponentModels& to) {
  for (const CycleModels& cycle : found)
    for (std::size_t i = 0; i < cycle.components.size(); ++i) {
      const analysis::Linearization& from = cycle.components[i];
      if (!from.has_states) continue;
      master::ComponentModel& model = to[cycle.interface.components[i]].emplace();
      model.system = from.system;
      for (const auto* inputs : {&cycle.interface.u[i], &cycle.interface.outside[i]})
        for (const auto& u : *inputs) model.u.push_back({u.variable, u.element});
      model.u.resize(from.system.inputs());  // inputs from outside may be missing
      for (const auto& y : cycle.interface.y[i]) model.y.push_back({y.variable, y.element});
      model.slopes = from.drift;
      model.time = time;
    }
}

}  // namespace

bool needs_models(const System& system) {
  return need_models(system.simulation.methods) ||
         std::any_of(system.cycles.begin(), system.cycles.end(),
                     [](const CycleSettings& cycle) { return need_models(cycle.methods); });
}

KnownModels known_models(const System& system, const ModelledAdvice& known) {
  KnownModels result{ComponentModels(system.components.size()), {}};
  add_models(known.models, known.advice.time, result.coupling);
  result.errors = result.coupling;
  add_models(known.alone, known.advice.time, result.errors);
  add_models(known.whole, known.advice.time, result.errors);
  return result;
}

KnownModels find_component_models(const System& system, const SystemRunOptions& options) {
  AdviseOptions questions;
  static_cast<RunControl&>(questions) = options;
  questions.open = options.open;
  questions.step_count = 0;
  const ModelledAdvice known = advise_with_models(system, questions, Log());
  for (const CycleModels& cycle : known.models)
    refuse_unknown_states(system, cycle, methods_in(system, cycle));
  return known_models(system, known);
}

}  // namespace tutti::session
