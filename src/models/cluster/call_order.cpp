// SPDX-License-Identifier: BSD-2-Clause
#include "models/cluster/call_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace tutti::models {

using system::EvaluationBlock;
using system::Graph;

namespace {

using BlockKind = EvaluationBlock::Kind;

std::size_t count_models(const CoupledModels& models) {
  std::size_t count = 0;
  for (const auto& variable : models.variables)
    count = std::max<std::size_t>(count, variable.model + 1);
  return count;
}

/// Takes blocks whose predecessors have been taken, the most urgent first: what costs no call;
/// loops and outputs of models whose inputs are all known; then the rest. Outputs of one model that
/// can be read are read together.
class CallSchedule {
 public:
  CallSchedule(std::span<const EvaluationBlock> blocks, const CoupledModels& models)
      : blocks_(blocks),
        models_(models),
        successors_(blocks.size()),
        open_(blocks.size()),
        is_taken_(blocks.size()),
        unknown_inputs_(count_models(models)),
        ready_states_(unknown_inputs_.size()),
        ready_outputs_(unknown_inputs_.size()) {
    std::vector<std::size_t> block_of(models.variables.size());
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (const Graph::Node node : blocks[b].variables) block_of[node] = b;
    for (const Graph::Edge& edge : models.dependencies) {
      const std::size_t from = block_of[edge.from], to = block_of[edge.to];
      if (from == to) continue;
      successors_[from].push_back(to);
      ++open_[to];
    }
    for (const auto& variable : models.variables)
      if (!variable.is_output) ++unknown_inputs_[variable.model];
    for (std::size_t b = 0; b < blocks.size(); ++b)
      if (open_[b] == 0) offer(b);
  }

  std::vector<EvaluationBlock> run() {
    while (!ready_.empty()) {
      const std::size_t block = ready_.top().second;
      ready_.pop();
      if (is_taken_[block]) continue;
      EvaluationBlock& added = order_.emplace_back();
      added.kind = blocks_[block].kind;
      if (added.kind != BlockKind::get) {
        take(block);
        continue;
      }
      auto& ready = is_state(block) ? ready_states_ : ready_outputs_;
      for (const std::size_t other : std::exchange(ready[model(block)], {})) take(other);
      std::ranges::sort(added.variables);
    }
    return std::move(order_);
  }

 private:
  using Entry = std::pair<int, std::size_t>;  // urgency, block
  static constexpr int no_call = 0, loop = 1, inputs_known = 2, inputs_unknown = 3;

  std::uint32_t model(std::size_t block) const {
    return models_.variables[blocks_[block].variables.front()].model;
  }

  bool is_state(std::size_t block) const {
    return models_.is_state[blocks_[block].variables.front()];
  }

  int urgency(std::size_t block) const {
    const EvaluationBlock& b = blocks_[block];
    if (b.kind == BlockKind::solve) return loop;
    if (b.kind == BlockKind::set || is_state(block)) return no_call;
    return unknown_inputs_[model(block)] == 0 ? inputs_known : inputs_unknown;
  }

  void offer(std::size_t block) {
    if (blocks_[block].kind == BlockKind::get)
      (is_state(block) ? ready_states_ : ready_outputs_)[model(block)].push_back(block);
    ready_.emplace(urgency(block), block);
  }

  void take(std::size_t block) {
    is_taken_[block] = true;
    auto& variables = order_.back().variables;
    variables.insert(variables.end(), blocks_[block].variables.begin(),
                     blocks_[block].variables.end());
    for (const Graph::Node node : blocks_[block].variables) {
      const auto& variable = models_.variables[node];
      if (variable.is_output || --unknown_inputs_[variable.model] > 0) continue;
      for (const std::size_t output : ready_outputs_[variable.model])
        ready_.emplace(inputs_known, output);  // more urgent than it was
    }
    for (const std::size_t next : successors_[block])
      if (--open_[next] == 0) offer(next);
  }

  std::span<const EvaluationBlock> blocks_;
  const CoupledModels& models_;
  std::vector<std::vector<std::size_t>> successors_;  ///< by block
  std::vector<std::size_t> open_;                     ///< by block: predecessors not yet taken
  std::vector<bool> is_taken_;                        ///< by block
  std::vector<std::size_t> unknown_inputs_;           ///< by model: their number
  std::vector<std::vector<std::size_t>> ready_states_, ready_outputs_;  ///< by model: blocks
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready_;
  std::vector<EvaluationBlock> order_;
};

}  // namespace

std::size_t call_cost(std::span<const EvaluationBlock> blocks, const CoupledModels& models) {
  struct Model {
    bool has_inputs_to_set = false;
    bool is_computed = false;
  };
  std::vector<Model> all(count_models(models));
  std::size_t cost = 0;
  const auto compute = [&](Model& model) {
    if (std::exchange(model.has_inputs_to_set, false)) ++cost;
    if (!std::exchange(model.is_computed, true)) ++cost;
  };
  for (const EvaluationBlock& block : blocks) {
    if (block.kind == BlockKind::get) {
      if (std::ranges::all_of(block.variables, [&](Graph::Node n) { return models.is_state[n]; }))
        continue;
      compute(all[models.variables[block.variables.front()].model]);
      ++cost;
      continue;
    }
    for (const Graph::Node node : block.variables) {
      Model& model = all[models.variables[node].model];
      model.has_inputs_to_set = block.kind == BlockKind::set;
      model.is_computed = false;
    }
  }
  for (Model& model : all) compute(model);  // the derivatives
  return cost;
}

std::vector<EvaluationBlock> order_of_calls(const CoupledModels& models) {
  auto usual = system::evaluation_order(models.variables, models.dependencies);
  auto single = system::evaluation_order(models.variables, models.dependencies, false);
  auto by_inputs = CallSchedule(single, models).run();
  return call_cost(by_inputs, models) < call_cost(usual, models) ? by_inputs : usual;
}

}  // namespace tutti::models
