// SPDX-License-Identifier: BSD-2-Clause
#include "master/cycle_links.hpp"

#include <algorithm>

namespace tutti::master {
namespace {

bool is_real(Type type) { return type == Type::float64 || type == Type::float32; }

}  // namespace

CycleLinks::CycleLinks(std::span<const CycleMember> members)
    : uses(members.size()),
      outputs(members.size()),
      others_to(members.size()),
      others_from(members.size()) {
  Places places;
  for (std::size_t m = 0; m < members.size(); ++m)
    places.members.emplace(&members[m].instance->outputs(), m);
  for (std::size_t m = 0; m < members.size(); ++m)
    for (const Wiring::Wire& wire : members[m].inside) add_wire(wire, m, places);
  group_columns(members.size());
}

/// @pre wires come in the order of the members that they lead to
void CycleLinks::add_wire(const Wiring::Wire& wire, std::size_t to, Places& places) {
  const std::size_t source_member = places.members.at(wire.from_set);
  if (!is_real(wire.from->type) || !is_real(wire.to->type)) {
    others_to[to].push_back(others.size());
    others_from[source_member].push_back(others.size());
    others.push_back({wire, {}, {}});
    return;
  }
  const std::byte* const value = wire.from_set->address(*wire.from);
  const auto [known, is_new] = places.sources.emplace(value, sources.size());
  const std::size_t source = known->second;
  if (is_new) {
    outputs[source_member].push_back(sources.size());
    sources.push_back({{value, wire.from->type == Type::float32}, source_member, 0, wire.from});
    readers.emplace_back();
  }
  Source& found = sources[source];
  ++found.uses;
  found.is_coarse |= found.place.is_single || wire.to->type == Type::float32;
  uses[to].push_back(
      {source, wire.to_set, wire.to, wire.factor, wire.offset, wire.continuous_input()});
  if (readers[source].empty() || readers[source].back() != to) readers[source].push_back(to);
}

// Two columns of J can be computed in the same repetition of the step if no member reads both.
void CycleLinks::group_columns(std::size_t member_count) {
  std::vector<std::vector<bool>> taken;  // by group and member
  for (std::size_t column = 0; column < sources.size(); ++column) {
    std::size_t group = 0;
    while (group < column_groups.size() &&
           std::any_of(readers[column].begin(), readers[column].end(),
                       [&](std::size_t member) { return taken[group][member]; }))
      ++group;
    if (group == column_groups.size()) {
      column_groups.emplace_back();
      taken.emplace_back(member_count);
    }
    column_groups[group].push_back(column);
    for (const std::size_t member : readers[column]) taken[group][member] = true;
  }
}

}  // namespace tutti::master
