// SPDX-License-Identifier: BSD-2-Clause
// Which outputs a linear correction corrects, and from what.
#include <algorithm>
#include <map>
#include <set>

#include "master/correction_block.hpp"
#include "system/dependencies.hpp"

namespace tutti::master {

LinearCorrection::LinearCorrection(const Parts& parts) : parts_(parts) {
  const system::Plan& plan = *parts_.plan;
  const system::Graph dependencies(plan.coupled.size(), parts_.dependencies);
  std::vector<std::vector<system::Graph::Node>> inputs(parts_.instances.size());
  for (system::Graph::Node node = 0; node < plan.coupled.size(); ++node)
    if (!plan.variables[node].is_output) inputs[plan.coupled[node].component].push_back(node);
  for (std::uint32_t c = 0; c < parts_.instances.size(); ++c)
    if (c >= parts_.left_out.size() || !parts_.left_out[c]) add_blocks(c, inputs[c], dependencies);
  find_sources();
}

std::vector<std::optional<LinearCorrection::Feeder>> LinearCorrection::find_feeders(
    std::uint32_t component, Nodes inputs) const {
  models::Instance& instance = *parts_.instances[component];
  std::vector<std::optional<Feeder>> feeders;
  for (const system::Graph::Node node : inputs) {
    std::optional<Feeder>& feeder = feeders.emplace_back();
    const system::Point& point = parts_.plan->coupled[node];
    const models::Scalar* const to = &scalar_at(instance.inputs(), point);
    const auto& wires = parts_.wires[component];
    const auto wire =
        std::find_if(wires.begin(), wires.end(), [&](const Wiring::Wire& w) { return w.to == to; });
    if (wire == wires.end() || !wire->continuous_input() || wire->from->type != Type::float64)
      continue;
    feeder = Feeder{point.variable, *wire->continuous_input(), wire->factor,
                    wire->offset,   wire->from_double(),       {},
                    nullptr};
  }
  return feeders;
}

LinearCorrection::Block LinearCorrection::make_block(std::uint32_t component, Nodes inputs,
                                                     std::span<const std::optional<Feeder>> feeders,
                                                     const system::Graph& dependencies) {
  models::Instance& instance = *parts_.instances[component];
  Block block{};
  block.component = component;
  std::set<system::Graph::Node> rows;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!feeders[k]) continue;
    bool matters = false;
    for (const auto output : dependencies.successors(inputs[k])) {
      const models::Scalar* const scalar =
          &scalar_at(instance.outputs(), parts_.plan->coupled[output]);
      if (scalar->type != Type::float64) continue;
      matters = true;
      if (!rows.insert(output).second) continue;
      block.rows.push_back(unknowns_.size());
      block.outputs.push_back(scalar->variable);
      // The master alone writes there between steps.
      unknowns_.push_back(
          {component, scalar, const_cast<models::ValueSet*>(&instance.outputs()), {}});
    }
    if (matters) block.inputs.push_back(*feeders[k]);
  }
  block.of_unknowns = block.inputs.size();
  return block;
}

LinearCorrection::Block LinearCorrection::make_followers(
    std::uint32_t component, Nodes inputs, std::span<const std::optional<Feeder>> feeders) const {
  const system::Plan& plan = *parts_.plan;
  const ModelDescription& description = *parts_.descriptions[component];
  models::Instance& instance = *parts_.instances[component];
  const system::RunningDependencies dependencies(description);
  Block block{};
  block.component = component;
  std::vector<bool> matters(inputs.size());
  for (const models::Scalar& scalar : instance.outputs().scalars()) {
    const Variable& variable = description.variables[static_cast<std::size_t>(scalar.variable)];
    const system::Point point{component, scalar.variable, scalar.element};
    if (scalar.type != Type::float64 || variable.causality != Causality::output ||
        variable.variability != Variability::continuous ||
        std::binary_search(plan.coupled.begin(), plan.coupled.end(), point))
      continue;
    const auto known = dependencies.inputs_of(scalar.variable);
    bool depends = false;
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (feeders[k] &&
          (!known || std::binary_search(known->begin(), known->end(), feeders[k]->variable)))
        depends = matters[k] = true;
    if (!depends) continue;
    block.outputs.push_back(scalar.variable);
    block.followers.push_back(
        {component, &scalar, const_cast<models::ValueSet*>(&instance.outputs()), {}});
  }
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (matters[k]) block.inputs.push_back(*feeders[k]);
  return block;
}

void LinearCorrection::choose_source(Block& block) const {
  using enum Block::Source;
  const models::Instance& instance = *parts_.instances[block.component];
  const auto is_array = [&](std::int32_t variable) {
    return parts_.descriptions[block.component]
        ->variables[static_cast<std::size_t>(variable)]
        .is_array();
  };
  const bool has_arrays =
      std::any_of(block.outputs.begin(), block.outputs.end(), is_array) ||
      std::any_of(block.inputs.begin(), block.inputs.end(),
                  [&](const Feeder& input) { return is_array(input.variable); });
  block.source = !has_arrays && parts_.instances[block.component]->differentiate({}, {}, {}, {})
                     ? derivatives
                 : instance.can_go_back() && instance.can_vary_step() ? probing
                                                                      : learning;
}

void LinearCorrection::add_blocks(std::uint32_t component, Nodes inputs,
                                  const system::Graph& dependencies) {
  const auto feeders = find_feeders(component, inputs);
  std::vector<Block> blocks;
  if (Block block = make_block(component, inputs, feeders, dependencies); !block.rows.empty()) {
    choose_source(block);
    blocks.push_back(std::move(block));
  }
  if (Block block = make_followers(component, inputs, feeders); !block.followers.empty()) {
    choose_source(block);
    // Tiny steps serve both. What is learnt about unknowns must not depend on what is recorded.
    if (!blocks.empty() && block.source == Block::Source::probing &&
        blocks.front().source == Block::Source::probing)
      blocks.front().take_followers(std::move(block));
    else
      blocks.push_back(std::move(block));
  }
  for (Block& block : blocks) {
    block.jacobian.resize(block.row_count() * block.inputs.size());
    block.doubts.resize(block.inputs.size());
    for (const Feeder& input : block.inputs) block.input_variables.push_back(input.variable);
    if (block.source == Block::Source::learning) start_from_model(block);
    blocks_.push_back(std::move(block));
  }
}

void LinearCorrection::start_from_model(Block& block) const {
  if (block.component >= parts_.models.size() || !parts_.models[block.component]) return;
  const ComponentModel& model = *parts_.models[block.component];
  for (std::size_t i = 0; i < block.outputs.size(); ++i)
    for (std::size_t j = 0; j < block.inputs.size(); ++j) {
      const auto row = index_in(model.y, block.outputs[i]);
      const auto column = index_in(model.u, block.inputs[j].variable);
      if (row && column) block.at(i, j) = model.system.d(*row, *column);
    }
}

/// Finds the inputs that are fed by unknowns, and the derivatives that are corrected, too.
void LinearCorrection::find_sources() {
  const auto place = [](const models::ValueSet& set, const models::Scalar& scalar) {
    return reinterpret_cast<const double*>(set.address(scalar));
  };
  std::map<const double*, std::size_t> unknown_at;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    unknown_at[place(*unknowns_[i].set, *unknowns_[i].scalar)] = i;
  std::map<const double*, std::pair<std::size_t, std::size_t>> slope_at;  // component, index
  for (std::size_t c = 0; c < parts_.instances.size(); ++c)
    for (const models::Scalar& scalar : parts_.instances[c]->outputs().scalars())
      if (const auto index = parts_.derivatives[c].index_of(scalar.variable))
        slope_at[place(parts_.instances[c]->outputs(), scalar)] = {c, *index};
  for (Unknown& unknown : unknowns_)
    unknown.derivative = parts_.derivatives[unknown.component].index_of(unknown.scalar->variable);
  for (Block& block : blocks_)
    for (Feeder& input : block.inputs) {
      if (const auto found = unknown_at.find(input.value); found != unknown_at.end()) {
        input.unknown = found->second;
        continue;
      }
      if (const auto slope = slope_at.find(input.value); slope != slope_at.end()) {
        input.derivatives = &parts_.derivatives[slope->second.first];
        input.derivative = slope->second.second;
      }
    }
}

}  // namespace tutti::master
