// SPDX-License-Identifier: BSD-2-Clause
#include "master/initialization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "master/tlm/component_ports.hpp"
#include "system/dependencies.hpp"

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

/// FMI 1.0 has no initialization mode in which outputs can be read again after inputs change. Model
/// exchange can do so later. Returns whether it must.
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
                          "FMI 1.0: the initial values may be inconsistent",
                          setting.name(*found)));
  return false;
}

EvaluationSetting make_setting(const Assembly& assembly,
                               std::span<const system::Graph::Edge> dependencies) {
  EvaluationSetting setting{assembly.parts,
                            assembly.instances,
                            assembly.called.front(),
                            {},
                            {assembly.parts.plan.coupled.size(), dependencies}};
  for (std::uint32_t c = 0; c < assembly.wires.size(); ++c)
    for (const Wiring::Wire& wire : assembly.wires[c])
      setting.wire_to[{c, wire.to->variable, wire.to->element}] = &wire;
  return setting;
}

/// @param loop of the block, if it is one
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

/// The values that the components have received from others, to detect later changes.
class Deliveries {
 public:
  explicit Deliveries(const std::vector<std::vector<Wiring::Wire>>& wires)
      : wires_(wires), texts_(wires.size()) {
    for (std::size_t c = 0; c < wires.size(); ++c) take_news(c);
  }
  /// Whether a value for this component has changed since the last call.
  bool take_news(std::size_t component) {
    bool changed = false;
    std::vector<std::string>& texts = texts_[component];
    texts.resize(wires_[component].size());
    for (std::size_t k = 0; k < texts.size(); ++k) {
      const Wiring::Wire& wire = wires_[component][k];
      std::string now = wire.from_set->written(*wire.from);
      changed |= now != texts[k];
      texts[k] = std::move(now);
    }
    return changed;
  }

 private:
  const std::vector<std::vector<Wiring::Wire>>& wires_;
  std::vector<std::vector<std::string>> texts_;
};

/// Outputs of an FMU may change when it leaves initialization, because its event iteration follows.
/// Returns whether no component with an event mode has missed such a change.
bool leave_initialization(const EvaluationSetting& setting,
                          const std::vector<std::vector<Wiring::Wire>>& wires,
                          const models::Experiment& experiment) {
  Deliveries deliveries(wires);
  for (const system::Stage& stage : setting.parts.plan.stages)
    for (const std::uint32_t c : stage.components) {
      models::Instance& instance = setting.call(c);
      if (deliveries.take_news(c)) {
        for (const Wiring::Wire& wire : wires[c]) move_value(wire);
        instance.set_some(instance.inputs().variables());
      }
      instance.end_initialization(experiment);
    }
  bool all_known = true;
  for (std::size_t c = 0; c < wires.size(); ++c)
    if (setting.instances[c]->has_event_mode()) all_known &= !deliveries.take_news(c);
  return all_known;
}

}  // namespace

bool initialize_together(const Assembly& assembly, const models::Experiment& experiment) {
  const system::Plan& plan = assembly.parts.plan;
  const EvaluationSetting setting = make_setting(assembly, plan.dependencies);
  for (std::size_t c = 0; c < assembly.instances.size(); ++c)
    setting.call(c).begin_initialization(experiment);
  set_externals(setting, find_externals(assembly.wires));
  std::size_t loops = 0;
  bool is_solved_later = false;
  for (const EvaluationBlock& block : plan.evaluations) {
    if (block.kind == EvaluationBlock::Kind::solve) {
      is_solved_later |= wait_for_fmi1(setting, block, assembly.log);
      ++loops;
    }
    evaluate(setting, block, loop_of(setting, block).get());
  }
  if (loops > 0)
    assembly.log.write(
        {Severity::debug, "", "", fmt::format("initialization solved {} loops", loops)});
  for (std::size_t c = 0; c < assembly.parts.ports.size(); ++c)
    if (tlm::ComponentPorts* const ports = assembly.parts.ports[c])
      if (assembly.parts.descriptions[c]->version != FmiVersion::v1)  // not possible here
        ports->probe(setting.call(c), assembly.log);
  const bool all_known = leave_initialization(setting, assembly.wires, experiment);
  if (!is_solved_later) return all_known;
  const auto dependencies = system::running_dependencies(plan, assembly.parts.descriptions);
  if (!ConsistentOutputs(assembly, dependencies).update(experiment.start))
    throw Error(ErrorCode::fmu, "a component asks to end the run before it starts");
  return true;
}

ConsistentOutputs::ConsistentOutputs(const Assembly& assembly,
                                     std::span<const system::Graph::Edge> dependencies)
    : setting_(make_setting(assembly, dependencies)),
      externals_(find_externals(assembly.wires)),
      blocks_(system::evaluation_order(assembly.parts.plan.variables, dependencies)) {
  for (const auto& instance : assembly.instances)
    setting_.silent.push_back(!instance->has_event_mode());
  for (const EvaluationBlock& block : blocks_) loops_.push_back(loop_of(setting_, block));
}

bool ConsistentOutputs::update(double t) {
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
  for (std::size_t b = 0; b < blocks_.size(); ++b) evaluate(setting_, blocks_[b], loops_[b].get());
  return for_all([&](models::Instance& instance) { return instance.end_event(t); });
}

}  // namespace tutti::master
