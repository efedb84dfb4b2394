// SPDX-License-Identifier: BSD-2-Clause
#include "system/variable_edges.hpp"

#include <optional>
#include <unordered_map>

#include "system/dependencies.hpp"

namespace tutti::system {
namespace {

/// What the variables of many components depend on; components of one model share the answers.
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

/// Of the inputs among the nodes from first to before last, those that are known to matter: all, if
/// nothing is known. The nodes of a variable stand together, sorted by variable.
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

}  // namespace

template <class Dependencies>
void add_feed_through(const Plan& plan, std::span<const ModelDescription* const> descriptions,
                      std::vector<Graph::Edge>& edges) {
  KnownDependencies<Dependencies> known;
  const auto count = static_cast<Graph::Node>(plan.coupled.size());
  for (Graph::Node first = 0, last = 0; first < count; first = last) {
    const std::uint32_t component = plan.coupled[first].component;
    while (last < count && plan.coupled[last].component == component) ++last;
    for (Graph::Node output = first; output < last; ++output)
      if (plan.variables[output].is_output)
        add_edges_to(output,
                     known.inputs_of(*descriptions[component], plan.coupled[output].variable), plan,
                     first, last, edges);
  }
}

template void add_feed_through<InitialDependencies>(const Plan&,
                                                    std::span<const ModelDescription* const>,
                                                    std::vector<Graph::Edge>&);

std::vector<Graph::Edge> running_dependencies(
    const Plan& plan, std::span<const ModelDescription* const> descriptions) {
  const auto connections = plan.dependencies.begin() + static_cast<long>(plan.links.size());
  std::vector<Graph::Edge> edges(plan.dependencies.begin(), connections);
  add_feed_through<RunningDependencies>(plan, descriptions, edges);
  return edges;
}

}  // namespace tutti::system
