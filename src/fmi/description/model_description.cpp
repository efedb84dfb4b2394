// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <bit>
#include <functional>
#include <tutti/model_description.hpp>

namespace tutti {
namespace {

/// Both tables are open-addressed with linear probing and at most half full.
std::size_t table_size(std::size_t entries) {
  return std::bit_ceil(std::max<std::size_t>(8, 2 * entries));
}

std::size_t hash_of(std::string_view name) { return std::hash<std::string_view>{}(name); }
std::size_t hash_of(ValueReference reference) {
  return (reference * std::uint64_t{0x9E3779B97F4A7C15u}) >> 32;  // Fibonacci hashing
}

bool is_called(const Variable& variable, std::string_view name) {
  if (variable.name == name) return true;
  return std::ranges::any_of(variable.aliases,
                             [name](const AliasName& alias) { return alias.name == name; });
}

// A slot has bits of the key in its upper half, so that variables with other keys are rarely
// accessed, and the index + 1 in its lower half; 0 is vacant.
std::uint64_t make_slot(std::uint64_t upper, std::size_t index) {
  return upper << 32 | (index + 1);
}
std::size_t index_in(std::uint64_t slot) { return (slot & 0xFFFFFFFFu) - 1; }

/// The position of the entry for this name, or the vacant one where it would be inserted.
std::size_t probe_name(const std::vector<std::uint64_t>& table,
                       const std::vector<Variable>& variables, std::string_view name,
                       std::size_t hash) {
  const std::size_t mask = table.size() - 1;
  std::size_t at = hash & mask;
  while (table[at] != 0 &&
         (table[at] >> 32 != hash >> 32 || !is_called(variables[index_in(table[at])], name))) {
    at = (at + 1) & mask;
  }
  return at;
}

std::size_t probe_reference(const std::vector<std::uint64_t>& table, ValueReference reference) {
  const std::size_t mask = table.size() - 1;
  std::size_t at = hash_of(reference) & mask;
  while (table[at] != 0 && table[at] >> 32 != reference) at = (at + 1) & mask;
  return at;
}

}  // namespace

const Variable* ModelDescription::find(std::string_view name) const {
  if (by_name_.empty()) return nullptr;
  const std::uint64_t slot = by_name_[probe_name(by_name_, variables, name, hash_of(name))];
  return slot != 0 ? &variables[index_in(slot)] : nullptr;
}

std::int32_t ModelDescription::find(ValueReference reference) const {
  if (by_reference_.empty()) return -1;
  const std::uint64_t slot = by_reference_[probe_reference(by_reference_, reference)];
  return slot != 0 ? static_cast<std::int32_t>(index_in(slot)) : -1;
}

const TypeDefinition* ModelDescription::type_of(const Variable& variable) const {
  const auto index = static_cast<std::size_t>(variable.declared_type);
  return variable.declared_type >= 0 && index < types.size() ? &types[index] : nullptr;
}

bool ModelDescription::has_clocks() const {
  return std::ranges::any_of(variables,
                             [](const Variable& variable) { return variable.type == Type::clock; });
}

ModelDescription::Duplicates ModelDescription::build_index() {
  std::size_t names = variables.size();
  for (const Variable& variable : variables) names += variable.aliases.size();
  by_name_.assign(table_size(names), 0);
  by_reference_.assign(table_size(variables.size()), 0);
  Duplicates duplicates;
  const auto add_name = [&](std::string_view name, std::size_t index) {
    const std::size_t hash = hash_of(name);
    std::uint64_t& slot = by_name_[probe_name(by_name_, variables, name, hash)];
    if (slot == 0) {
      slot = make_slot(hash >> 32, index);
    } else if (index_in(slot) != index) {  // a variable may be found under its other name
      duplicates.names.push_back(static_cast<std::int32_t>(index));
    }
  };
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& variable = variables[i];
    add_name(variable.name, i);
    for (const AliasName& alias : variable.aliases) add_name(alias.name, i);
    std::uint64_t& slot = by_reference_[probe_reference(by_reference_, variable.value_reference)];
    if (slot == 0) {
      slot = make_slot(variable.value_reference, i);
    } else {
      duplicates.references.push_back(static_cast<std::int32_t>(i));
    }
  }
  return duplicates;
}

}  // namespace tutti
