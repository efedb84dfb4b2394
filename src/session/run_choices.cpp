// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

std::vector<CycleCoupling> couplings_of(const System& system, const system::Plan& plan,
                                        std::span<const CycleCoupling> chosen) {
  std::vector<CycleCoupling> all;
  for (const system::Stage& stage : plan.stages) {
    if (!stage.is_cycle) continue;
    CycleCoupling& coupling = all.emplace_back();
    for (const std::uint32_t c : stage.components)
      coupling.components.push_back(system.components[c].name);
    coupling.method = fmt::format("{}", fmt::join(methods_of(system, stage), ", "));
    for (const CycleCoupling& choice : chosen)
      if (have_same_components(choice, coupling)) coupling = choice;
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
