// SPDX-License-Identifier: BSD-2-Clause
// What an island does where something jumps.
#include <fmt/format.h>

#include <limits>

#include "master/island.hpp"

namespace tutti::master {
namespace {

constexpr int most_event_rounds = 100;  // at one point in time

}  // namespace

bool Island::discrete_inputs_changed() {
  bool changed = false;
  for (std::size_t i = 0; i < discrete_.size(); ++i) {
    const DiscreteInput& input = discrete_[i];
    if (i == 0 || discrete_[i - 1].component != input.component) wiring_->gather(input.component);
    changed |= instances_[input.component]->inputs().written(*input.scalar) != input.known;
  }
  return changed;
}

void Island::note_discrete_inputs() {
  for (DiscreteInput& input : discrete_)
    input.known = instances_[input.component]->inputs().written(*input.scalar);
}

void Island::forget_past() {
  forget_signals();
  for (OutputDerivatives& derivatives : derivatives_) derivatives.forget();
}

void Island::forget_signals() {
  for (InputCurves& curves : curves_) curves.forget();
  if (correction_) correction_->forget();
  for (const auto& cycle : cycles_) cycle->forget();
}

/// An event of one component may change discrete inputs of others: until nothing changes.
bool Island::handle_event(double t) {
  forget_past();
  write_externals(t);
  for (int round = 0; round < most_event_rounds; ++round) {
    for (const system::Stage& stage : parts_->plan.stages)
      for (const std::uint32_t c : stage.components) {
        wiring_->gather(c);
        if (!instances_[c]->has_event_mode()) continue;
        note(c);
        if (!instances_[c]->handle_event(t)) return false;
      }
    note_discrete_inputs();
    if (!discrete_inputs_changed()) return true;
  }
  throw Error(
      ErrorCode::numeric,
      fmt::format("the discrete inputs of the components do not settle: they still change after "
                  "{} rounds of events",
                  most_event_rounds),
      {.time = t});
}

bool Island::assign(double t, std::span<const Assignment> assignments) {
  std::set<std::uint32_t> in_event;
  for (const auto& [c, values] : assignments) {
    note(c);
    if (instances_[c]->has_event_mode() && in_event.insert(c).second) instances_[c]->begin_event();
    instances_[c]->assign(*values);
  }
  bool goes_on = true;
  for (const std::uint32_t c : in_event) {
    note(c);
    goes_on &= instances_[c]->end_event(t);
  }
  return goes_on;
}

double Island::next_jump(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const ExternalSignals& external : parts_->externals)
    next = std::min(next, external.table->next_jump(t));
  return next;
}

std::optional<double> Island::next_event() const {
  std::optional<double> next;
  for (const auto& instance : instances_)
    if (const auto event = instance->next_event(); event && (!next || *event < *next)) next = event;
  return next;
}

}  // namespace tutti::master
