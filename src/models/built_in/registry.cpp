// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "models/built_in/models.hpp"

namespace tutti::models {

std::span<const BuiltInEntry> built_ins() {
  static const BuiltInEntry table[] = {
      constant_entry, delay_entry, expression_entry, gain_entry, pulse_entry,
      ramp_entry,     sine_entry,  step_entry,       sum_entry,  table_entry,
  };
  return table;
}

const BuiltInEntry& find_built_in(std::string_view name) {
  const auto all = built_ins();
  const auto found = std::ranges::find(all, name, &BuiltInEntry::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> known;
  for (const BuiltInEntry& entry : all) known.push_back(entry.name);
  throw Error(ErrorCode::usage, fmt::format("unknown type \"{}\".", printable(name)),
              {.key = "type",
               .hint = fmt::format("{} Expected one of: {}.", did_you_mean(name, known),
                                   fmt::join(known, ", "))});
}

namespace {

std::vector<BuiltInVariable> usual_variables(const BuiltInEntry& entry) {
  std::vector<BuiltInVariable> variables;
  try {
    const BuiltIn usual;
    const std::unique_ptr<BuiltInModel> model = entry.make({usual});
    for (const auto& declared : model->variables())
      variables.push_back({declared.name, declared.causality, declared.start, declared.details.unit,
                           declared.details.description});
  } catch (const Error&) {  // it has no description without settings
  }
  return variables;
}

}  // namespace
}  // namespace tutti::models

namespace tutti {

std::vector<BuiltInType> built_in_types() {
  std::vector<BuiltInType> types;
  for (const models::BuiltInEntry& entry : models::built_ins()) {
    BuiltInType& type = types.emplace_back();
    type.name = entry.name;
    type.summary = entry.summary;
    type.equation = entry.equation;
    type.settings.assign(entry.settings.begin(), entry.settings.end());
    type.variables = models::usual_variables(entry);
  }
  return types;
}

}  // namespace tutti
