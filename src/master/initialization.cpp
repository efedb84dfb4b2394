// SPDX-License-Identifier: BSD-2-Clause
#include "master/initialization.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "master/algebraic_loop.hpp"

namespace tutti::master {
namespace {

using system::EvaluationBlock;
using Node = system::Graph::Node;

void set_externals(const EvaluationSetting& setting,
                   const std::vector<std::vector<Wiring::Wire>>& wires) {
  for (std::size_t c = 0; c < wires.size(); ++c) {
    std::vector<std::int32_t> variables;
    for (const Wiring::Wire& wire : wires[c]) {
      const bool external = std::any_of(
          setting.parts.externals.begin(), setting.parts.externals.end(),
          [&](const ExternalSignals& signals) { return signals.values.get() == wire.from_set; });
      if (!external) continue;
      move_value(wire);
      if (variables.empty() || variables.back() != wire.to->variable)
        variables.push_back(wire.to->variable);
    }
    if (!variables.empty() && !setting.is_silent(c)) setting.call(c).set_some(variables);
  }
}

/// FMI 1.0 has no mode in which outputs could be asked for again after another input.
void warn_of_fmi1(const EvaluationSetting& setting, const EvaluationBlock& block, const Log& log) {
  for (const Node node : block.variables)
    if (setting.parts.descriptions[setting.point(node).component]->version == FmiVersion::v1) {
      log.warning(
          setting.instances[setting.point(node).component]->name(),
          fmt::format("{} is in an algebraic loop, which cannot be solved at the start with "
                      "FMI 1.0: the first values may not agree",
                      setting.name(node)));
      return;
    }
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

void evaluate(const EvaluationSetting& setting, const EvaluationBlock& block) {
  switch (block.kind) {
    case EvaluationBlock::Kind::set:
      return setting.set(block.variables.front());
    case EvaluationBlock::Kind::get:
      return setting.get(block.variables);
    case EvaluationBlock::Kind::solve:
      return AlgebraicLoop(setting, block).solve();
  }
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
  set_externals(setting, wires);
  std::size_t loops = 0;
  for (const EvaluationBlock& block : parts.plan.evaluations) {
    if (block.kind == EvaluationBlock::Kind::solve) {
      warn_of_fmi1(setting, block, log);
      ++loops;
    }
    evaluate(setting, block);
  }
  if (loops > 0)
    log.write({Severity::debug, "", "", fmt::format("initialization solved {} loops", loops)});
  for (std::size_t c = 0; c < instances.size(); ++c) setting.call(c).end_initialization(experiment);
}

bool agree_together(const CoupledParts& parts,
                    std::span<const std::unique_ptr<models::Instance>> instances,
                    const std::vector<std::vector<Wiring::Wire>>& wires, double t,
                    std::atomic<std::uint32_t>& called) {
  EvaluationSetting setting = make_setting(parts, instances, wires, called);
  for (const auto& instance : instances) setting.silent.push_back(!instance->has_event_mode());
  const auto for_all = [&](const auto& action) {
    bool all = true;
    for (std::size_t c = 0; c < instances.size(); ++c)
      if (!setting.silent[c]) all &= action(setting.call(c));
    return all;
  };
  for_all([](models::Instance& instance) {
    instance.begin_event();
    return true;
  });
  set_externals(setting, wires);
  for (const EvaluationBlock& block : parts.plan.evaluations) evaluate(setting, block);
  return for_all([&](models::Instance& instance) { return instance.end_event(t); });
}

}  // namespace tutti::master
