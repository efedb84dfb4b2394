// SPDX-License-Identifier: BSD-2-Clause
#include "master/initialization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

namespace tutti::master {
namespace {

using system::EvaluationBlock;
using Node = system::Graph::Node;

std::vector<ExternalWires> find_externals(const std::vector<std::vector<Wiring::Wire>>& wires) {
  std::vector<ExternalWires> externals;
  for (std::uint32_t c = 0; c < wires.size(); ++c) {
    ExternalWires found{c, {}, {}};
    for (const Wiring::Wire& wire : wires[c]) {
      if (wire.connection >= 0) continue;
      found.wires.push_back(&wire);
      if (found.variables.empty() || found.variables.back() != wire.to->variable)
        found.variables.push_back(wire.to->variable);
    }
    if (!found.wires.empty()) externals.push_back(std::move(found));
  }
  return externals;
}

void set_externals(const EvaluationSetting& setting, std::span<const ExternalWires> externals) {
  for (const ExternalWires& external : externals) {
    for (const Wiring::Wire* const wire : external.wires) move_value(*wire);
    if (!setting.is_silent(external.component))
      setting.call(external.component).set_some(external.variables);
  }
}

/// FMI 1.0 has no mode of initialization in which outputs could be asked for again after another
/// input. Model exchange can do that later. Answers whether it has to.
bool wait_for_fmi1(const EvaluationSetting& setting, const EvaluationBlock& block, const Log& log) {
  const auto is_first = [&](Node node) {
    return setting.parts.descriptions[setting.point(node).component]->version == FmiVersion::v1;
  };
  const auto has_events = [&](Node node) {
    return setting.instances[setting.point(node).component]->has_event_mode();
  };
  const auto& nodes = block.variables;
  const auto found = std::find_if(nodes.begin(), nodes.end(), is_first);
  if (found == nodes.end()) return false;
  if (std::all_of(nodes.begin(), nodes.end(), has_events)) return true;
  log.warning(setting.instances[setting.point(*found).component]->name(),
              fmt::format("{} is in an algebraic loop, which cannot be solved at the start with "
                          "FMI 1.0: the first values may not agree",
                          setting.name(*found)));
  return false;
}

EvaluationSetting make_setting(const CoupledParts& parts,
                               std::span<const std::unique_ptr<models::Instance>> instances,
                               const std::vector<std::vector<Wiring::Wire>>& wires,
                               std::atomic<std::uint32_t>& called) {
  EvaluationSetting setting{
      parts, instances, called, {}, {parts.plan.coupled.size(), parts.plan.dependencies}};
  for (std::uint32_t c = 0; c < wires.size(); ++c)
    for (const Wiring::Wire& wire : wires[c])
      setting.wire_to[{c, wire.to->variable, wire.to->element}] = &wire;
  return setting;
}

/// @param loop of a block that is one
void evaluate(const EvaluationSetting& setting, const EvaluationBlock& block, AlgebraicLoop* loop) {
  switch (block.kind) {
    case EvaluationBlock::Kind::set:
      return setting.set(block.variables.front());
    case EvaluationBlock::Kind::get:
      return setting.get(block.variables);
    case EvaluationBlock::Kind::solve:
      return loop->solve();
  }
}

std::unique_ptr<AlgebraicLoop> loop_of(const EvaluationSetting& setting,
                                       const EvaluationBlock& block) {
  if (block.kind != EvaluationBlock::Kind::solve) return nullptr;
  return std::make_unique<AlgebraicLoop>(setting, block);
}

}  // namespace

void initialize_together(const CoupledParts& parts,
                         std::span<const std::unique_ptr<models::Instance>> instances,
                         const std::vector<std::vector<Wiring::Wire>>& wires,
                         const models::Experiment& experiment, std::atomic<std::uint32_t>& called,
                         const Log& log) {
  const EvaluationSetting setting = make_setting(parts, instances, wires, called);
  for (std::size_t c = 0; c < instances.size(); ++c)
    setting.call(c).begin_initialization(experiment);
  set_externals(setting, find_externals(wires));
  std::size_t loops = 0;
  bool agrees_later = false;
  for (const EvaluationBlock& block : parts.plan.evaluations) {
    if (block.kind == EvaluationBlock::Kind::solve) {
      agrees_later |= wait_for_fmi1(setting, block, log);
      ++loops;
    }
    evaluate(setting, block, loop_of(setting, block).get());
  }
  if (loops > 0)
    log.write({Severity::debug, "", "", fmt::format("initialization solved {} loops", loops)});
  for (std::size_t c = 0; c < instances.size(); ++c) setting.call(c).end_initialization(experiment);
  if (agrees_later && !Agreement(parts, instances, wires, called).agree(experiment.start))
    throw Error(ErrorCode::fmu, "a component asks to end the run before it starts");
}

Agreement::Agreement(const CoupledParts& parts,
                     std::span<const std::unique_ptr<models::Instance>> instances,
                     const std::vector<std::vector<Wiring::Wire>>& wires,
                     std::atomic<std::uint32_t>& called)
    : setting_(make_setting(parts, instances, wires, called)), externals_(find_externals(wires)) {
  for (const auto& instance : instances) setting_.silent.push_back(!instance->has_event_mode());
  for (const EvaluationBlock& block : parts.plan.evaluations)
    loops_.push_back(loop_of(setting_, block));
}

bool Agreement::agree(double t) {
  const auto for_all = [&](const auto& action) {
    bool all = true;
    for (std::size_t c = 0; c < setting_.instances.size(); ++c)
      if (!setting_.silent[c]) all &= action(setting_.call(c));
    return all;
  };
  for_all([](models::Instance& instance) {
    instance.begin_event();
    return true;
  });
  set_externals(setting_, externals_);
  const auto& blocks = setting_.parts.plan.evaluations;
  for (std::size_t b = 0; b < blocks.size(); ++b) evaluate(setting_, blocks[b], loops_[b].get());
  return for_all([&](models::Instance& instance) { return instance.end_event(t); });
}

}  // namespace tutti::master
