// SPDX-License-Identifier: BSD-2-Clause
// What the Jacobian of a cluster can contain: which derivatives depend on which states, directly
// and through connections.
#include <fmt/format.h>

#include <map>

#include "fmi/shape.hpp"
#include "models/cluster/model_cluster.hpp"
#include "system/cluster_structure.hpp"
#include "system/dependencies.hpp"

namespace tutti::models {

void ModelCluster::make_structure() {
  using system::ClusterRow;
  const auto models = cluster_->models();
  const auto states = static_cast<std::uint32_t>(first_state_.back());
  structure_ = {};
  structure_.has_derivatives = capabilities_.provides_directional_derivatives;
  std::vector<ClusterRow> rows;
  std::vector<std::optional<std::size_t>> row_of_state;
  std::map<std::int32_t, std::size_t> known_from_states;  // outputs
  std::map<std::pair<std::uint32_t, std::int32_t>, std::size_t> row_of;
  for (std::uint32_t m = 0; m < members_.size(); ++m) {
    const ModelDescription& model = *models[m];
    const system::RunningDependencies dependencies(model);
    const auto first = static_cast<std::uint32_t>(first_state_[m]);
    const auto count = static_cast<std::uint32_t>(first_state_[m + 1]) - first;
    std::vector<std::uint32_t> all;
    for (std::uint32_t s = 0; s < count; ++s) all.push_back(first + s);
    // By variable, the number of the first state in it.
    std::map<std::int32_t, std::pair<std::uint32_t, std::uint32_t>> numbers;
    std::uint32_t next = 0;
    for (const Unknown& row : model.structure.derivatives) {
      if (row.variable < 0) continue;
      const auto state = model.variables[static_cast<std::size_t>(row.variable)].derivative_of;
      const auto size = static_cast<std::uint32_t>(
          value_counts_[static_cast<std::size_t>(cluster_->whole(m, row.variable))]);
      if (state >= 0) numbers[state] = {first + next, size};
      next += size;
    }
    const system::StateNames stands_for(model);
    const bool is_described = next == count && numbers.size() == model.structure.derivatives.size();
    const auto states_of = [&](const Unknown* row) {
      if (!is_described || row == nullptr || !row->dependencies || model.version == FmiVersion::v1)
        return all;
      std::vector<std::uint32_t> found;
      for (const std::int32_t index : *row->dependencies)
        if (const auto state = numbers.find(stands_for(index)); state != numbers.end())
          for (std::uint32_t e = 0; e < state->second.second; ++e)
            found.push_back(state->second.first + e);
      return found;
    };
    if (is_described)
      for (const auto& [variable, place] : numbers)
        state_of_.emplace(static_cast<ValueReference>(cluster_->whole(m, variable)), place.first);
    for (const Unknown& row : model.structure.derivatives) {
      if (!is_described) break;
      const auto& derivative = model.variables[static_cast<std::size_t>(row.variable)];
      const auto& state = model.variables[static_cast<std::size_t>(derivative.derivative_of)];
      const auto shape = fmi::shape_of(model, state, cluster_->structures[m]);
      rows.push_back({m, row.variable, dependencies.inputs_of(row.variable), states_of(&row), {}});
      for (std::uint64_t e = 0; e < fmi::element_count(shape); ++e) {
        row_of_state.emplace_back(rows.size() - 1);
        structure_.names.push_back(
            fmt::format("{}.{}", members_[m]->name(),
                        state.is_array() ? fmi::element_name(state.name, shape, e) : state.name));
      }
    }
    if (!is_described && count > 0) {
      rows.push_back({m, -1, std::nullopt, all, {}});
      for (std::uint32_t s = 0; s < count; ++s) {
        row_of_state.emplace_back(rows.size() - 1);
        structure_.names.push_back(fmt::format("{}: state {}", members_[m]->name(), s + 1));
      }
    }
    for (const system::Link& link : continuous_plan_.links) {
      if (link.from.component != m || row_of.contains({m, link.from.variable})) continue;
      const Unknown* described = nullptr;
      for (const Unknown& row : model.structure.outputs)
        if (row.variable == link.from.variable) described = &row;
      row_of[{m, link.from.variable}] = rows.size();
      std::vector<std::uint32_t> own = states_of(described);
      if (const auto state = numbers.find(stands_for(link.from.variable));
          is_described && state != numbers.end()) {
        known_from_states[cluster_->whole(m, link.from.variable)] = state->second.first;
        own.clear();
        for (std::uint32_t e = 0; e < state->second.second; ++e)
          own.push_back(state->second.first + e);
      }
      rows.push_back(
          {m, link.from.variable, dependencies.inputs_of(link.from.variable), std::move(own), {}});
    }
  }
  continuous_->use_states(known_from_states);
  const auto points =
      unknown_count_ > 0 ? continuous_->unknown_points() : std::vector<system::Point>();
  for (std::uint32_t k = 0; k < points.size(); ++k) {
    ClusterRow& row = rows[row_of.at({points[k].component, points[k].variable})];
    structure_.names.push_back(continuous_->unknown_name(k));
    if (value_counts_[static_cast<std::size_t>(
            cluster_->whole(points[k].component, points[k].variable))] == 1)
      row.cut = states + k;
    else
      row.leaves.push_back(states + k);
  }
  const auto reached = system::reach(continuous_plan_.links, models, rows,
                                     [](auto, auto) -> std::optional<std::uint32_t> { return {}; });
  if (reached) {
    std::vector<std::vector<std::size_t>> columns;
    const auto add = [&](std::size_t row) {
      auto& column = columns.emplace_back();
      for (const std::uint32_t leaf : (*reached)[row]) column.push_back(leaf);
    };
    for (const auto& row : row_of_state) add(*row);
    for (const system::Point& point : points) add(row_of.at({point.component, point.variable}));
    structure_.pattern = pattern_of_rows(columns);
  }
  if (!points.empty()) {
    structure_.algebraic.assign(states, 0);
    structure_.algebraic.resize(states + points.size(), 1);
  }
}

}  // namespace tutti::models
