// SPDX-License-Identifier: BSD-2-Clause
#include "master/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tutti/error.hpp>

#include "system/dependencies.hpp"

namespace tutti::master {
namespace {

constexpr int maximum_event_rounds = 100;  // at one point in time

}  // namespace

Events::Events(Assembly& assembly) : assembly_(assembly) {
  for (std::uint32_t c = 0; c < assembly_.instances.size(); ++c) {
    if (!assembly_.instances[c]->has_event_mode()) continue;
    const auto& variables = assembly_.parts.descriptions[c]->variables;
    for (const models::Scalar& scalar : assembly_.instances[c]->inputs().scalars())
      if (variables[static_cast<std::size_t>(scalar.variable)].variability !=
          Variability::continuous)
        discrete_.push_back({c, &scalar, ""});
  }
  const auto follows = [&](std::uint32_t c) { return assembly_.instances[c]->follows_in_events(); };
  for (const system::Stage& stage : assembly_.parts.plan.stages)
    needs_consistency_ |= stage.is_cycle && std::ranges::any_of(stage.components, follows);
}

bool Events::discrete_inputs_changed() {
  bool changed = false;
  for (std::size_t i = 0; i < discrete_.size(); ++i) {
    const DiscreteInput& input = discrete_[i];
    if (i == 0 || discrete_[i - 1].component != input.component)
      assembly_.wiring->gather(input.component);
    changed |= assembly_.instances[input.component]->inputs().written(*input.scalar) != input.known;
  }
  return changed;
}

void Events::note_discrete_inputs() {
  for (DiscreteInput& input : discrete_)
    input.known = assembly_.instances[input.component]->inputs().written(*input.scalar);
}

bool Events::handle(double t) {
  for (int round = 0; round < maximum_event_rounds; ++round) {
    for (const system::Stage& stage : assembly_.parts.plan.stages)
      for (const std::uint32_t c : stage.components) {
        assembly_.wiring->gather(c);
        if (!assembly_.instances[c]->has_event_mode()) continue;
        assembly_.note(c);
        if (assembly_.instances[c]->handle_event(t)) continue;
        ended_by_ = c;
        return false;
      }
    note_discrete_inputs();
    if (discrete_inputs_changed()) continue;
    if (!needs_consistency_) return true;
    if (!update_outputs(t)) return false;
    if (!discrete_inputs_changed()) return true;
  }
  throw Error(
      ErrorCode::numeric,
      fmt::format("the discrete inputs of the components do not settle: they still change after "
                  "{} rounds of events",
                  maximum_event_rounds),
      {.time = t});
}

bool Events::update_outputs(double t) {
  if (!consistent_outputs_)
    consistent_outputs_ = std::make_unique<ConsistentOutputs>(
        assembly_,
        system::running_dependencies(assembly_.parts.plan, assembly_.parts.descriptions));
  ended_by_.reset();
  return consistent_outputs_->update(t);
}

bool Events::assign(double t, std::span<const Assignment> assignments) {
  std::set<std::uint32_t> in_event;
  for (const auto& [c, values] : assignments) {
    models::Instance& instance = *assembly_.instances[c];
    assembly_.note(c);
    if (instance.has_event_mode() && in_event.insert(c).second) instance.begin_event();
    instance.assign(*values);
  }
  bool goes_on = true;
  for (const std::uint32_t c : in_event) {
    assembly_.note(c);
    if (assembly_.instances[c]->end_event(t)) continue;
    ended_by_ = c;
    goes_on = false;
  }
  return goes_on;
}

std::optional<double> Events::next() const {
  std::optional<double> next;
  for (const auto& instance : assembly_.instances)
    if (const auto event = instance->next_event(); event && (!next || *event < *next)) next = event;
  return next;
}

}  // namespace tutti::master
