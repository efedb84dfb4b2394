// SPDX-License-Identifier: BSD-2-Clause
#include "system/dependencies.hpp"

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

#include "system/make_plan.hpp"

namespace tutti::system {
namespace {

/// The row of each variable; null: none.
std::vector<const Unknown*> rows_by_variable(
    const ModelDescription& description, std::initializer_list<const std::vector<Unknown>*> lists) {
  std::vector<const Unknown*> by_variable(description.variables.size());
  for (const auto* rows : lists)
    for (const Unknown& row : *rows)
      if (row.variable >= 0) by_variable[static_cast<std::size_t>(row.variable)] = &row;
  return by_variable;
}

/// A variable whose value is known before initialization depends on nothing.
bool is_given_before(const Variable& variable) {
  return variable.variability == Variability::constant ||
         variable.causality == Causality::parameter ||
         variable.causality == Causality::structural_parameter ||
         variable.causality == Causality::calculated_parameter;
}

void sort_once(std::vector<std::int32_t>& indices) {
  std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

/// The dependencies of the variables of many components; components of one model share the results.
template <class Dependencies>
class KnownDependencies {
 public:
  using Inputs = std::optional<std::vector<std::int32_t>>;

  const Inputs& inputs_of(const ModelDescription& description, std::int32_t variable) {
    const auto [of_model, new_model] = models_.try_emplace(&description);
    if (new_model) of_model->second.rows.emplace(description);
    const auto [found, is_new] = of_model->second.inputs.try_emplace(variable);
    if (is_new) found->second = of_model->second.rows->inputs_of(variable);
    return found->second;
  }

 private:
  struct Model {
    std::optional<Dependencies> rows;
    std::unordered_map<std::int32_t, Inputs> inputs;
  };
  std::unordered_map<const ModelDescription*, Model> models_;
};

/// The inputs among the nodes in [first, last) on which the output may depend: all, if nothing is
/// known. The nodes of a variable are adjacent, sorted by variable.
void add_edges_to(Graph::Node output, const std::optional<std::vector<std::int32_t>>& inputs,
                  const Plan& plan, Graph::Node first, Graph::Node last,
                  std::vector<Graph::Edge>& edges) {
  auto known = inputs ? inputs->begin() : std::vector<std::int32_t>::const_iterator();
  for (Graph::Node input = first; input < last; ++input) {
    if (plan.variables[input].is_output) continue;
    if (inputs) {
      while (known != inputs->end() && *known < plan.coupled[input].variable) ++known;
      if (known == inputs->end()) return;
      if (*known != plan.coupled[input].variable) continue;
    }
    edges.push_back({input, output});
  }
}

bool moves(const Variable& variable) {
  return variable.type == Type::float64 && variable.variability == Variability::continuous;
}

}  // namespace

InitialDependencies::InitialDependencies(const ModelDescription& description)
    : description_(description),
      initial_(rows_by_variable(description, {&description.structure.initial_unknowns})),
      output_(rows_by_variable(description, {&description.structure.outputs})) {}

std::optional<std::vector<std::int32_t>> InitialDependencies::inputs_of(
    std::int32_t variable) const {
  const auto asked = static_cast<std::size_t>(variable);
  std::vector<std::int32_t> inputs;
  if (is_given_before(description_.variables[asked]) ||
      (description_.version != FmiVersion::v1 &&
       description_.variables[asked].initial == Initial::exact))
    return inputs;

  const auto add = [&](const Unknown& row, bool follow) {
    if (!row.dependencies) return false;
    for (const std::int32_t index : *row.dependencies) {
      if (description_.variables[static_cast<std::size_t>(index)].causality == Causality::input) {
        inputs.push_back(index);
      } else if (const Unknown* through =
                     follow ? initial_[static_cast<std::size_t>(index)] : nullptr) {
        if (!through->dependencies) return false;
        for (const std::int32_t next : *through->dependencies)
          if (description_.variables[static_cast<std::size_t>(next)].causality == Causality::input)
            inputs.push_back(next);
      }
    }
    return true;
  };
  const bool known = (initial_[asked] != nullptr && add(*initial_[asked], false)) ||
                     (output_[asked] != nullptr && add(*output_[asked], true));
  if (!known) return std::nullopt;
  sort_once(inputs);
  return inputs;
}

RunningDependencies::RunningDependencies(const ModelDescription& description)
    : description_(description),
      rows_(rows_by_variable(description,
                             {&description.structure.outputs, &description.structure.derivatives})),
      is_state_(description.variables.size()) {
  for (const Unknown& row : description.structure.derivatives) {
    if (row.variable < 0) continue;
    const std::int32_t state =
        description.variables[static_cast<std::size_t>(row.variable)].derivative_of;
    if (state >= 0) is_state_[static_cast<std::size_t>(state)] = true;
  }
}

std::optional<std::vector<std::int32_t>> RunningDependencies::inputs_of(
    std::int32_t variable) const {
  const auto asked = static_cast<std::size_t>(variable);
  std::vector<std::int32_t> inputs;
  if (is_given_before(description_.variables[asked]) || is_state_[asked]) return inputs;
  if (rows_[asked] == nullptr || !rows_[asked]->dependencies) return std::nullopt;
  for (const std::int32_t index : *rows_[asked]->dependencies)
    if (description_.variables[static_cast<std::size_t>(index)].causality == Causality::input)
      inputs.push_back(index);
  sort_once(inputs);
  return inputs;
}

namespace {

/// @param unlisted whether outputs without listed dependencies depend on all inputs, or on none
template <class Dependencies>
void add_edges(const Plan& plan, std::span<const ModelDescription* const> descriptions,
               bool unlisted, std::vector<Graph::Edge>& edges) {
  KnownDependencies<Dependencies> known;
  const auto count = static_cast<Graph::Node>(plan.coupled.size());
  for (Graph::Node first = 0, last = 0; first < count; first = last) {
    const std::uint32_t component = plan.coupled[first].component;
    while (last < count && plan.coupled[last].component == component) ++last;
    for (Graph::Node output = first; output < last; ++output) {
      if (!plan.variables[output].is_output) continue;
      const auto& inputs = known.inputs_of(*descriptions[component], plan.coupled[output].variable);
      if (inputs || unlisted) add_edges_to(output, inputs, plan, first, last, edges);
    }
  }
}

std::vector<Graph::Edge> connection_edges(const Plan& plan) {
  return {plan.dependencies.begin(),
          plan.dependencies.begin() + static_cast<long>(plan.links.size())};
}

}  // namespace

template <class Dependencies>
void add_feed_through(const Plan& plan, std::span<const ModelDescription* const> descriptions,
                      std::vector<Graph::Edge>& edges) {
  add_edges<Dependencies>(plan, descriptions, true, edges);
}

template void add_feed_through<InitialDependencies>(const Plan&,
                                                    std::span<const ModelDescription* const>,
                                                    std::vector<Graph::Edge>&);

std::vector<Graph::Edge> running_dependencies(
    const Plan& plan, std::span<const ModelDescription* const> descriptions) {
  std::vector<Graph::Edge> edges = connection_edges(plan);
  add_feed_through<RunningDependencies>(plan, descriptions, edges);
  return edges;
}

std::vector<std::vector<Graph::Node>> listed_loops(
    const Plan& plan, std::span<const ModelDescription* const> descriptions) {
  std::vector<Graph::Edge> edges = connection_edges(plan);
  add_edges<RunningDependencies>(plan, descriptions, false, edges);
  std::vector<std::vector<Graph::Node>> loops =
      strong_components(Graph(plan.coupled.size(), edges)).members;
  std::erase_if(loops, [](const auto& nodes) { return nodes.size() == 1; });
  return loops;
}

bool any_moves(const ModelDescription& description, std::span<const std::int32_t> inputs) {
  return std::ranges::any_of(inputs, [&](std::int32_t index) {
    return moves(description.variables[static_cast<std::size_t>(index)]);
  });
}

bool follows_inputs(const ModelDescription& description, std::span<const std::int32_t> inputs) {
  const Capabilities& capabilities = *description.co_simulation;
  if (description.version != FmiVersion::v3) return capabilities.can_interpolate_inputs;
  // FMI 3.0, 2.4.7.4: only variables with intermediateUpdate may be set there.
  return capabilities.provides_intermediate_update &&
         std::ranges::all_of(inputs, [&](std::int32_t index) {
           const Variable& v = description.variables[static_cast<std::size_t>(index)];
           return v.intermediate_update || !moves(v);
         });
}

bool follows_inputs(const Component& component, const ModelDescription& description,
                    std::span<const std::int32_t> inputs) {
  return is_model_exchange(component, description) || follows_inputs(description, inputs);
}

}  // namespace tutti::system
