// SPDX-License-Identifier: BSD-2-Clause
// How components are coupled: in which phases they step, and which cycles iterate.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "master/coupling/coupling_method.hpp"
#include "master/stepper.hpp"

namespace tutti::master {

Stepper::Stepper(const Parts& parts)
    : assembly_(parts.assembly),
      externals_(parts.externals),
      events_(parts.events),
      checks_(parts.checks),
      timing_(parts.timing),
      errors_(parts.errors),
      inputs_(assembly_, externals_) {
  for (tlm::ComponentPorts* const ports : assembly_.parts.ports)
    if (ports != nullptr) ports_.push_back(ports);
  std::vector<Phase> phases = make_phases();
  inputs_.describe(phases);
  errors_.describe(inputs_);
  program_ = std::make_unique<Program>(assembly_, externals_, inputs_.curves(), std::move(phases));
  if (checks_.allows_infinity()) allow_infinity();
  look_whether_simple();
}

void Stepper::look_whether_simple() {
  is_simple_ = inputs_.are_constant() && !events_.has_discrete_inputs() &&
               !assembly_.parts.saves_states && !assembly_.parts.profile &&
               !assembly_.abilities.has_untried_flags && !externals_.any_holds_end();
}

std::vector<Phase> Stepper::make_phases() {
  const std::vector<bool>& early = assembly_.parts.may_stop_early;
  const auto may_stop_early = [&](const Unit& unit) {
    return std::any_of(unit.components.begin(), unit.components.end(),
                       [&](std::uint32_t c) { return c < early.size() && early[c]; });
  };
  const auto one_by_one = [](const std::vector<std::uint32_t>& components, Phase& phase) {
    phase.reads_old_values = true;
    for (const std::uint32_t c : components) phase.units.push_back({{c}, nullptr});
  };
  // Components of the same priority step in parallel; a cycle whose members all read old values is
  // separate, because these are gathered before any member steps.
  std::map<std::pair<std::uint32_t, std::size_t>, Phase> phases;
  using enum stability::Sequence;
  const auto is_only = [](const std::vector<std::string>& methods, stability::Sequence sequence) {
    const CouplingEntry& first = *find_coupling_method(methods.front());
    return first.is_order_only && first.sequence == sequence;
  };
  const bool all_parallel = is_only(assembly_.settings().methods, parallel);
  for (std::size_t s = 0; s < assembly_.parts.plan.stages.size(); ++s) {
    const system::Stage& stage = assembly_.parts.plan.stages[s];
    const std::vector<std::string>& methods = assembly_.methods_of(stage);
    if (all_parallel && (!stage.is_cycle || is_only(methods, parallel)))
      one_by_one(stage.components, phases[{0, 0}]);
    else if (all_parallel)  // together with the others, so from their old values too
      phases[{0, 0}].units.push_back(make_cycle(stage));
    else if (stage.is_cycle && is_only(methods, parallel))
      one_by_one(stage.components, phases[{stage.priority, s + 1}]);
    else
      phases[{stage.priority, 0}].units.push_back(stage.is_cycle && !is_only(methods, sequential)
                                                      ? make_cycle(stage)
                                                      : Unit{stage.components, nullptr});
  }
  if (all_parallel) phases[{0, 0}].reads_old_values = true;
  std::vector<Phase> result;
  for (auto& [key, phase] : phases) {
    // Components whose step ends the others can match step first.
    std::stable_partition(phase.units.begin(), phase.units.end(), may_stop_early);
    result.push_back(std::move(phase));
  }
  return result;
}

Unit Stepper::make_cycle(const system::Stage& stage) {
  const CoupledParts& parts = assembly_.parts;
  SimulationSettings settings = parts.settings;
  std::vector<Cycle::Member> members;
  const std::unordered_set<std::uint32_t> inside(stage.components.begin(), stage.components.end());
  for (const std::uint32_t c : stage.components) {
    Cycle::Member& member =
        members.emplace_back(Cycle::Member{c,
                                           assembly_.instances[c].get(),
                                           {},
                                           inputs_.are_constant() ? nullptr : &inputs_.curves()[c],
                                           nullptr});
    if (c < parts.models.size() && parts.models[c]) member.model = &*parts.models[c];
    for (const Wiring::Wire& wire : assembly_.wires[c]) {
      if (wire.connection < 0 || !inside.contains(wire.from_component)) continue;
      member.inside.push_back(wire);
      settings.inputs.order = std::max(
          settings.inputs.order, parts.inputs[static_cast<std::size_t>(wire.connection)].order);
    }
  }
  cycles_.push_back(std::make_unique<CycleRun>(std::move(members), assembly_.methods_of(stage),
                                               settings, assembly_.abilities.can_roll_back,
                                               assembly_.log));
  return {stage.components, cycles_.back().get()};
}

}  // namespace tutti::master
