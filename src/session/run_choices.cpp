// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "master/coupling/coupling_method.hpp"
#include "system/dependencies.hpp"
#include "system/input_sources.hpp"
#include "system/make_plan.hpp"

namespace tutti::session {

const std::vector<std::string>& methods_of(const System& system, const system::Stage& stage) {
  const auto& own = stage.settings >= 0
                        ? system.cycles[static_cast<std::size_t>(stage.settings)].methods
                        : system.simulation.methods;
  return own.empty() ? system.simulation.methods : own;
}

bool have_same_components(const CycleCoupling& one, const CycleCoupling& other) {
  return std::is_permutation(one.components.begin(), one.components.end(), other.components.begin(),
                             other.components.end());
}

namespace {

bool solves_loops(const System& system, const std::vector<std::string>& methods) {
  const master::CouplingEntry* const method = master::find_coupling_method(methods.front());
  return method == nullptr || !method->is_order_only ||
         system.simulation.inputs.correct != Correction::none;
}

/// The outputs of each component in algebraic loops.
std::map<std::uint32_t, std::vector<std::string>> outputs_in_loops(const System& system,
                                                                   const SystemModels& models,
                                                                   const system::Plan& plan) {
  std::map<std::uint32_t, std::vector<std::string>> names;
  for (const auto& loop : system::listed_loops(plan, models.descriptions))
    for (const system::Graph::Node node : loop)
      if (plan.variables[node].is_output)
        names[plan.coupled[node].component].push_back(
            system::point_name(system, models.descriptions, models.structures, plan.coupled[node]));
  return names;
}

}  // namespace

std::vector<CycleCoupling> couplings_of(const System& system, const SystemModels& models,
                                        const system::Plan& plan,
                                        std::span<const CycleCoupling> chosen) {
  std::vector<CycleCoupling> all;
  std::optional<std::map<std::uint32_t, std::vector<std::string>>> loops;
  for (const system::Stage& stage : plan.stages) {
    if (!stage.is_cycle) continue;
    CycleCoupling& coupling = all.emplace_back();
    for (const std::uint32_t c : stage.components)
      coupling.components.push_back(system.components[c].name);
    const std::vector<std::string>& methods = methods_of(system, stage);
    coupling.method = fmt::format("{}", fmt::join(methods, ", "));
    const auto choice = std::ranges::find_if(
        chosen, [&](const CycleCoupling& one) { return have_same_components(one, coupling); });
    if (choice != chosen.end()) {
      coupling = *choice;
    } else if (!solves_loops(system, methods)) {
      if (!loops) loops = outputs_in_loops(system, models, plan);
      for (const std::uint32_t c : stage.components)
        std::ranges::copy((*loops)[c], std::back_inserter(coupling.unsolved));
    }
  }
  return all;
}

std::vector<std::string> inputs_without_value(const System& system, const SystemModels& models,
                                              const system::Plan& plan) {
  std::vector<std::string> names =
      system::open_inputs(system, models.descriptions, models.structures, plan);
  for (const Component& component : system.components)
    for (const auto& [variable, value] : component.set) {
      const std::string whole = component.name + "." + variable;
      std::erase_if(names, [&](const std::string& name) {
        return name == whole || name.starts_with(whole + "[");
      });
    }
  return names;
}

}  // namespace tutti::session
