// SPDX-License-Identifier: BSD-2-Clause
#include "master/assembly.hpp"

#include <algorithm>
#include <map>

#include "system/dependencies.hpp"

namespace tutti::master {

Assembly::Assembly(CoupledParts given, Monitor& watched, std::size_t threads, const Log& messages)
    : log(messages),
      monitor(watched),
      called(std::span(watched.called).subspan(given.thread, threads)),
      parts(std::move(given)),
      instances(std::move(parts.instances)) {
  look_at_instances();
  for (const ExternalSignals& external : parts.externals)
    if (external.is_followed) instances[external.component]->follow(external.table.get());
  place_values();
  make_wires();
  wiring = std::make_unique<Wiring>(wires);
  find_couplings();
  find_feed_through();
}

Assembly::~Assembly() {
  for (std::size_t c = 0; c < instances.size(); ++c) {
    note(c);
    instances[c].reset();
  }
}

void Assembly::look_at_instances() {
  for (const auto& instance : instances) {
    abilities.can_vary_step &= instance->can_vary_step();
    abilities.can_roll_back &= instance->can_go_back();
    abilities.has_event_mode |= instance->has_event_mode();
    abilities.has_float32 |= instance->outputs().has_float32();
    abilities.has_untried_flags |= instance->has_rollback_flag();
  }
}

/// The values of all components are contiguous, in calling sequence.
void Assembly::place_values() {
  std::size_t count = 0;
  for (const auto& instance : instances) count += instance->word_count();
  values.resize(count);
  std::uint64_t* place = values.data();
  for (const system::Stage& stage : parts.plan.stages)
    for (const std::uint32_t c : stage.components) {
      instances[c]->move_words_to(place);
      place += instances[c]->word_count();
    }
}

void Assembly::make_wires() {
  wires.resize(instances.size());
  // One look-up table per set, because a set may have thousands of scalars.
  std::map<const models::ValueSet*,
           std::map<std::pair<std::int32_t, std::uint64_t>, const models::Scalar*>>
      known;
  const auto find = [&](const models::ValueSet& set, std::int32_t variable, std::uint64_t element) {
    auto& scalars = known[&set];
    if (scalars.empty())
      for (const models::Scalar& s : set.scalars()) scalars[{s.variable, s.element}] = &s;
    return scalars.at({variable, element});
  };
  const system::ValueMap* const maps = parts.plan.maps.data();
  const system::EnumerationCheck* const checks = parts.plan.checks.data();
  for (const system::Link& link : parts.plan.links) {
    const models::ValueSet& from = instances[link.from.component]->outputs();
    models::ValueSet& to = instances[link.to.component]->inputs();
    wires[link.to.component].push_back(
        {&from, find(from, link.from.variable, link.from.element), &to,
         find(to, link.to.variable, link.to.element), link.factor, link.offset,
         link.map < 0 ? nullptr : &maps[link.map], link.check < 0 ? nullptr : &checks[link.check],
         static_cast<std::int32_t>(link.connection), link.from.component});
  }
  for (const ExternalSignals& external : parts.externals) {
    models::ValueSet& to = instances[external.component]->inputs();
    for (const models::Scalar& scalar : external.values->scalars())
      if (external.table->drives(scalar))
        wires[external.component].push_back(
            {external.values.get(), &scalar, &to, find(to, scalar.variable, scalar.element)});
  }
}

void Assembly::find_couplings() {
  for (const std::vector<Wiring::Wire>& to_component : wires)
    for (const Wiring::Wire& wire : to_component)
      if (wire.is_real()) connections.push_back(wire.from_double());
  // Without couplings there are still outputs to check, but no inputs to predict.
  if (connections.empty() && !control().predicts_inputs)
    for (const auto& instance : instances)
      for (const models::Scalar& scalar : instance->outputs().scalars())
        if (scalar.type == Type::float64)
          connections.push_back(
              reinterpret_cast<const double*>(instance->outputs().address(scalar)));
  couplings = connections;
  std::sort(couplings.begin(), couplings.end());
  couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());
}

/// Only on demand: it takes time in a large system.
void Assembly::find_feed_through() {
  const auto corrects = [](const Coupling& coupling) {
    return coupling.correct != Correction::none;
  };
  if (settings().inputs.correct == Correction::none && !is_free(settings().control) &&
      std::none_of(parts.fallbacks.begin(), parts.fallbacks.end(), corrects))
    return;
  const system::Plan& plan = parts.plan;
  dependencies = system::running_dependencies(plan, parts.descriptions);
  for (const auto& edge : dependencies) {
    const system::Point& from = plan.coupled[edge.from];
    if (plan.variables[edge.from].is_output) continue;
    const system::Point& to = plan.coupled[edge.to];
    feed_through.insert({from.component, from.variable});
    follows_at_once.insert({to.component, to.variable});
  }
}

const std::vector<std::string>& Assembly::methods_of(const system::Stage& stage) const {
  if (stage.settings < 0) return parts.settings.methods;
  const auto& own = parts.cycles[static_cast<std::size_t>(stage.settings)].methods;
  return own.empty() ? parts.settings.methods : own;
}

}  // namespace tutti::master
