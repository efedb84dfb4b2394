// SPDX-License-Identifier: BSD-2-Clause

#include "fmi/description/shared.hpp"

namespace tutti::fmi {
void finish_unknown(Context& context, pugi::xml_node element, pugi::xml_attribute kinds,
                    Unknown& row) {
  if (kinds) {
    bool legal = true;
    for_each_item(kinds.value(), [&](std::string_view item) {
      const std::optional<DependencyKind> kind = from_word<DependencyKind>(item);
      legal = legal && kind.has_value();
      row.kinds.push_back(kind.value_or(DependencyKind::dependent));
    });
    if (!legal || row.kinds.size() != (row.dependencies ? row.dependencies->size() : 0)) {
      context.warn(Rule::dependencies_kind, element, kinds,
                   "dependenciesKind does not fit dependencies; all are taken as \"dependent\"");
      row.kinds.clear();
    }
  }
  if (!row.dependencies) return;
  // Drops what is no variable, and its kind.
  std::vector<std::int32_t>& indices = *row.dependencies;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0) continue;
    indices[kept] = indices[i];
    if (!row.kinds.empty()) row.kinds[kept] = row.kinds[i];
    ++kept;
  }
  indices.resize(kept);
  if (!row.kinds.empty()) row.kinds.resize(kept);
}

void complete_outputs(Context& context, pugi::xml_node structure) {
  ModelDescription& to = context.result;
  std::vector<bool> listed(to.variables.size());
  std::vector<Unknown>& rows = to.structure.outputs;
  for (const Unknown& row : rows) {
    const auto index = static_cast<std::size_t>(row.variable);
    const Variable& variable = to.variables[index];
    if (variable.causality != Causality::output) {
      context.warn(Rule::outputs, variable,
                   "it is listed as an output, but its causality is \"{}\"",
                   to_string(variable.causality));
    }
    if (listed[index]) {
      context.warn(Rule::outputs, variable, "it is listed as an output more than once");
    }
    listed[index] = true;
  }
  if (!structure) {
    context.warn(Rule::structure_missing, {}, context.xml.root(),
                 "there is no <ModelStructure>; every output is taken to depend on every input");
  }
  for (std::size_t i = 0; i < to.variables.size(); ++i) {
    if (to.variables[i].causality != Causality::output || listed[i]) continue;
    if (structure) {
      context.warn(Rule::outputs, to.variables[i],
                   "it is an output, but not listed in <ModelStructure>; taken to depend on every "
                   "input");
    }
    rows.push_back({static_cast<std::int32_t>(i), std::nullopt, {}});
  }
}

void check_state_derivatives(Context& context) {
  for (const Unknown& row : context.result.structure.derivatives) {
    const Variable& variable = context.result.variables[static_cast<std::size_t>(row.variable)];
    if (variable.derivative_of >= 0) continue;
    context.warn(
        Rule::state_derivative, variable,
        "it is listed as a derivative, but has no attribute \"derivative\" that names its state");
  }
}

void index_variables(Context& context) {
  const ModelDescription::Duplicates duplicates = context.result.build_index();
  for (const std::int32_t index : duplicates.names) {
    const Variable& variable = context.result.variables[static_cast<std::size_t>(index)];
    context.warn(Rule::unique_name, variable,
                 "its name is not unique; the first variable of that name is found by it");
  }
  if (context.result.version != FmiVersion::v3) return;
  for (const std::int32_t index : duplicates.references) {
    const Variable& variable = context.result.variables[static_cast<std::size_t>(index)];
    context.warn(Rule::unique_reference, variable, "its valueReference {} is not unique",
                 variable.value_reference);
  }
}

std::uint64_t declared_size(const ModelDescription& description, const Variable& variable) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t count = 1;
  for (const Dimension& dimension : variable.dimensions) {
    std::uint64_t size = dimension.size.value_or(1);
    if (dimension.size_variable) {
      const std::int32_t index = description.find(*dimension.size_variable);
      if (index < 0) continue;
      const std::vector<std::string>& start =
          description.variables[static_cast<std::size_t>(index)].start;
      if (!start.empty()) size = parse_integer<std::uint64_t>(start.front()).value_or(1);
    }
    if (size == 0) return 0;
    count = count > most / size ? most : count * size;
  }
  return count;
}

}  // namespace tutti::fmi
