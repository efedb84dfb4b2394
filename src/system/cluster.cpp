// SPDX-License-Identifier: BSD-2-Clause
#include "system/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tutti/error.hpp>

#include "system/cluster_structure.hpp"
#include "system/dependencies.hpp"

namespace tutti::system {
namespace {

/// Every state has a name, and so has its derivative: directional derivatives need them.
bool names_states(const ModelDescription& model) {
  const auto& rows = model.structure.derivatives;
  return (!rows.empty() || model.continuous_state_count == 0) &&
         std::ranges::all_of(rows, [&](const Unknown& row) {
           return row.variable >= 0 &&
                  model.variables[static_cast<std::size_t>(row.variable)].derivative_of >= 0;
         });
}

/// The variables of all members as those of one model.
class Description {
 public:
  explicit Description(Cluster& cluster) : cluster_(cluster), whole_(cluster.description) {}

  void make() {
    whole_ = {};
    cluster_.first.clear();
    Capabilities can;
    can.can_save_state = can.can_serialize_state = can.provides_directional_derivatives = true;
    for (std::uint32_t m = 0; m < cluster_.size(); ++m) add_member(m, can);
    whole_.model_exchange = can;
    if (const auto duplicates = whole_.build_index(); !duplicates.names.empty())
      throw Error(
          ErrorCode::usage,
          fmt::format("two members of a cluster have a variable \"{}\"",
                      whole_.variables[static_cast<std::size_t>(duplicates.names.front())].name),
          {.key = "clusters", .hint = "Rename one of the components."});
    add_structure();
  }

 private:
  const ModelDescription& member(std::uint32_t m) const { return *cluster_.descriptions[m]; }

  void add_member(std::uint32_t m, Capabilities& can) {
    const ModelDescription& model = member(m);
    const std::string& name = cluster_.system.components[m].name;
    const Capabilities& own = *model.model_exchange;
    can.can_save_state &= own.can_save_state;
    can.can_serialize_state &= own.can_serialize_state;
    can.provides_directional_derivatives &=
        own.provides_directional_derivatives && names_states(model);
    can.needs_execution_tool |= own.needs_execution_tool;
    // The oldest version decides what can be done.
    whole_.version = m == 0 ? model.version : std::min(whole_.version, model.version);
    whole_.model_name += (m == 0 ? "" : " + ") + model.model_name;
    whole_.event_indicator_count += model.event_indicator_count;
    whole_.continuous_state_count += model.continuous_state_count;
    auto& tolerance = whole_.default_experiment.tolerance;
    if (const auto& wanted = model.default_experiment.tolerance)
      tolerance = std::min(tolerance.value_or(*wanted), *wanted);
    add_variables(m, name, add_units(model, name));
  }

  /// What the units of the member are called in the whole, where that differs.
  std::vector<std::pair<std::string, std::string>> add_units(const ModelDescription& model,
                                                             const std::string& name) {
    std::vector<std::pair<std::string, std::string>> renamed;
    const auto is_same = [](const Unit& a, const Unit& b) {
      if (!a.base || !b.base) return !a.base && !b.base;
      return std::ranges::equal(a.base->exponents, b.base->exponents) &&
             a.base->factor == b.base->factor && a.base->offset == b.base->offset;
    };
    for (const Unit& unit : model.units) {
      const auto known = std::ranges::find(whole_.units, unit.name, &Unit::name);
      if (known == whole_.units.end()) {
        whole_.units.push_back(unit);
      } else if (!is_same(*known, unit)) {
        renamed.emplace_back(unit.name, fmt::format("{} ({})", unit.name, name));
        whole_.units.push_back(unit);
        whole_.units.back().name = renamed.back().second;
      }
    }
    return renamed;
  }

  void add_variables(std::uint32_t m, const std::string& name,
                     const std::vector<std::pair<std::string, std::string>>& renamed_units) {
    const ModelDescription& model = member(m);
    const auto first = static_cast<std::int32_t>(whole_.variables.size());
    const auto first_type = static_cast<std::int32_t>(whole_.types.size());
    cluster_.first.push_back(first);
    const auto move = [](std::int32_t& index, std::int32_t by) {
      if (index >= 0) index += by;
    };
    whole_.types.insert(whole_.types.end(), model.types.begin(), model.types.end());
    for (const Variable& variable : model.variables) {
      Variable& v = whole_.variables.emplace_back(variable);
      v.name = fmt::format("{}.{}", name, variable.name);
      for (AliasName& alias : v.aliases) alias.name = fmt::format("{}.{}", name, alias.name);
      v.value_reference = static_cast<ValueReference>(whole_.variables.size() - 1);
      move(v.declared_type, first_type);
      move(v.derivative_of, first);
      move(v.previous, first);
      for (Dimension& dimension : v.dimensions)
        if (dimension.size_variable)
          dimension.size_variable = static_cast<ValueReference>(
              first + std::max(model.find(*dimension.size_variable), 0));
      v.clocks.clear();
      for (const auto& [before, now] : renamed_units)
        if (v.attributes.unit == before) v.attributes.unit = now;
    }
  }

  /// The description of the states of a member.
  struct States {
    StateNames names;
    std::vector<std::int32_t> all;     ///< variables
    std::vector<const Unknown*> rows;  ///< by variable, of outputs and derivatives
  };

  static States states_in(const ModelDescription& model) {
    States states{StateNames(model), {}, std::vector<const Unknown*>(model.variables.size())};
    for (const Unknown& row : model.structure.derivatives) {
      if (row.variable < 0) continue;
      const auto variable = static_cast<std::size_t>(row.variable);
      states.rows[variable] = &row;
      if (const auto state = model.variables[variable].derivative_of; state >= 0)
        states.all.push_back(state);
    }
    for (const Unknown& row : model.structure.outputs)
      if (row.variable >= 0) states.rows[static_cast<std::size_t>(row.variable)] = &row;
    return states;
  }

  /// The states on which a variable depends, as far as the description lists them; of a variable
  /// that is not described, all.
  std::vector<std::uint32_t> states_of(std::uint32_t m, std::int32_t variable,
                                       const States& states) const {
    const auto v = static_cast<std::size_t>(variable);
    std::vector<std::int32_t> found;
    if (const std::int32_t state = states.names(variable); state >= 0) {
      found = {state};
    } else if (states.rows[v] != nullptr && states.rows[v]->dependencies) {
      for (const std::int32_t i : *states.rows[v]->dependencies)
        if (const std::int32_t named = states.names(i); named >= 0) found.push_back(named);
    } else {
      found = states.all;
    }
    std::vector<std::uint32_t> leaves;
    for (const std::int32_t state : found)
      leaves.push_back(static_cast<std::uint32_t>(cluster_.whole(m, state)));
    return leaves;
  }

  void add_structure() {
    const auto models = cluster_.models();
    std::vector<std::vector<bool>> is_source(cluster_.size());
    for (std::uint32_t m = 0; m < cluster_.size(); ++m)
      for (const Variable& variable : models[m]->variables)
        is_source[m].push_back(variable.causality == Causality::output);
    for (const Link& link : cluster_.plan.links)
      is_source[link.from.component][static_cast<std::size_t>(link.from.variable)] = true;

    std::vector<ClusterRow> running, initial;
    std::vector<std::pair<std::size_t, std::size_t>> derivatives;  // by member: rows from, to
    for (std::uint32_t m = 0; m < cluster_.size(); ++m) {
      const ModelDescription& model = *models[m];
      const States states = states_in(model);
      const RunningDependencies while_running(model);
      const InitialDependencies at_start(model);
      const auto add = [&](std::int32_t v) {
        running.push_back({m, v, while_running.inputs_of(v), states_of(m, v, states), {}});
      };
      for (std::int32_t v = 0; v < static_cast<std::int32_t>(model.variables.size()); ++v) {
        if (!is_source[m][static_cast<std::size_t>(v)]) continue;
        add(v);
        initial.push_back({m, v, at_start.inputs_of(v), {}, {}});
      }
      const std::size_t first = running.size();
      for (const Unknown& row : model.structure.derivatives)
        if (row.variable >= 0) add(row.variable);
      derivatives.emplace_back(first, running.size());
    }
    const InputLeaf leaf = [&](std::uint32_t m, std::int32_t v) {
      return std::optional(static_cast<std::uint32_t>(cluster_.whole(m, v)));
    };
    std::vector<Unknown> rows =
        unknowns(running, reach(cluster_.plan.links, models, running, leaf));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto& [first, last] = derivatives[running[r].member];
      (r >= first && r < last ? whole_.structure.derivatives : whole_.structure.outputs)
          .push_back(std::move(rows[r]));
    }
    whole_.structure.initial_unknowns =
        unknowns(initial, reach(cluster_.plan.links, models, initial, leaf));
  }

  std::vector<Unknown> unknowns(
      const std::vector<ClusterRow>& rows,
      const std::optional<std::vector<std::vector<std::uint32_t>>>& reached) const {
    std::vector<Unknown> all;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Unknown& unknown = all.emplace_back();
      unknown.variable = cluster_.whole(rows[r].member, rows[r].variable);
      if (!reached) continue;
      auto& dependencies = unknown.dependencies.emplace();
      for (const std::uint32_t leaf : (*reached)[r])
        dependencies.push_back(static_cast<std::int32_t>(leaf));
    }
    return all;
  }

  Cluster& cluster_;
  ModelDescription& whole_;
};

}  // namespace

StateNames::StateNames(const ModelDescription& model) : states_(model.variables.size(), -1) {
  const auto is_real = [](const Variable& v) { return v.type == Type::float64; };
  std::map<ValueReference, std::int32_t> by_reference;
  for (const Unknown& row : model.structure.derivatives) {
    if (row.variable < 0) continue;
    const auto state = model.variables[static_cast<std::size_t>(row.variable)].derivative_of;
    if (state < 0) continue;
    states_[static_cast<std::size_t>(state)] = state;
    const Variable& variable = model.variables[static_cast<std::size_t>(state)];
    if (is_real(variable)) by_reference.emplace(variable.value_reference, state);
  }
  for (std::size_t v = 0; v < states_.size(); ++v) {
    if (states_[v] >= 0 || !is_real(model.variables[v])) continue;
    const auto state = by_reference.find(model.variables[v].value_reference);
    if (state != by_reference.end()) states_[v] = state->second;
  }
}

Cluster::Origin Cluster::origin_of(std::int32_t variable) const {
  const auto after = std::ranges::upper_bound(first, variable);
  const auto member = static_cast<std::uint32_t>(after - first.begin() - 1);
  return {member, variable - first[member]};
}

std::vector<const ModelDescription*> Cluster::models() const {
  std::vector<const ModelDescription*> models;
  for (const auto& one : descriptions) models.push_back(one.get());
  return models;
}

void describe_cluster(Cluster& cluster) { Description(cluster).make(); }

}  // namespace tutti::system
