// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tutti/explain.hpp>
#include <tutti/fmu.hpp>
#include <tutti/system_file.hpp>
#include <tutti/system_graph.hpp>

#include "complete.hpp"
#include "examples.hpp"
#include "file_kind.hpp"

namespace tutti::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t short_list = 60;

std::string description_of(const Variable& variable) {
  std::string text(to_string(variable.causality));
  if (!variable.start.empty() && variable.start.size() <= 3)
    text += fmt::format(" = {}", variable.start.front());
  if (!variable.attributes.unit.empty()) text += " " + variable.attributes.unit;
  if (!variable.description.empty()) text += ": " + variable.description;
  return text;
}

/// Whether it has a start value that can be set.
bool can_be_set(const Variable& variable) {
  switch (variable.causality) {
    case Causality::parameter:
    case Causality::structural_parameter:
    case Causality::input:
      return variable.variability != Variability::constant;
    case Causality::output:
    case Causality::local:
      return variable.variability != Variability::constant &&
             (variable.initial == Initial::exact || variable.initial == Initial::approx);
    default:
      return false;
  }
}

/// `prefix` is the component with a dot, or nothing.
void add_variables(Completion& to, const ModelDescription& fmu, const std::string& prefix,
                   const std::string& word) {
  for (const Variable& variable : fmu.variables)
    if (can_be_set(variable))
      add_if_begun(to, word, prefix + variable.name + "=", description_of(variable));
}

/// Values after `name=`.
void add_values(Completion& to, const ModelDescription& fmu, const std::string& name,
                const std::string& before, const std::string& word) {
  for (const Variable& variable : fmu.variables) {
    if (variable.name != name || !can_be_set(variable)) continue;
    if (variable.type == Type::boolean)
      for (const char* const value : {"true", "false"}) add_if_begun(to, word, before + value);
    else if (variable.type == Type::enumeration && variable.declared_type >= 0)
      for (const EnumerationItem& item :
           fmu.types[static_cast<std::size_t>(variable.declared_type)].items)
        add_if_begun(to, word, before + item.name, item.description);
    else if (variable.start.size() == 1)
      add_if_begun(to, word, before + variable.start.front(), "start value");
  }
}

/// Keys that --set takes: `*` becomes each component; lists have no names.
void add_keys(Completion& to, const System& system, const std::string& word) {
  const std::size_t equals = word.find('=');
  const auto add = [&](const Topic& key, const std::string& name) {
    if (equals == word.npos) return add_if_begun(to, word, name + "=", key.summary);
    if (word.substr(0, equals) != name) return;
    for (const std::string& value : key.words)
      add_if_begun(to, word, fmt::format("{}={}", name, value));
  };
  constexpr std::string_view any_component = "components.*.";
  for (const Topic& key : topics()) {
    if (key.kind != TopicKind::key || key.name.find('[') != key.name.npos) continue;
    if (!key.name.starts_with(any_component))
      add(key, key.name);
    else if (key.name.find('*', any_component.size()) == key.name.npos)
      for (const Component& component : system.components)
        add(key,
            fmt::format("components.{}.{}", component.name, key.name.substr(any_component.size())));
  }
}

void add_components(Completion& to, const System& system, const std::string& word) {
  const std::size_t equals = word.find('=');
  for (const Component& component : system.components) {
    const std::string prefix = component.name + ".";
    if (!word.starts_with(prefix)) {
      add_if_begun(
          to, word, prefix,
          component.built_in.empty() ? component.fmu.filename().string() : component.built_in.type);
      continue;
    }
    try {
      const ModelDescription model = describe_component(system, component);
      if (equals == word.npos)
        add_variables(to, model, prefix, word);
      else if (equals > prefix.size())
        add_values(to, model, word.substr(prefix.size(), equals - prefix.size()),
                   word.substr(0, equals + 1), word);
    } catch (const std::exception&) {
      continue;  // the others have names, too
    }
  }
}

fs::path system_on(const BegunLine& line) {
  const std::string example = line.command.starts_with("examples") ? line.value_of("NAME") : "";
  return example.empty() ? fs::path(line.value_of("SYSTEM") + line.value_of("FILE"))
                         : examples_folder() / example / "system.toml";
}

}  // namespace

Completion complete_assignment(const BegunLine& line, const std::string& word) {
  Completion found;
  std::string fmu_file = line.value_of("FMU");
  if (const std::string either = line.value_of("FILE"); !either.empty() && !is_system_file(either))
    fmu_file = either;
  if (!fmu_file.empty()) {
    const ModelDescription fmu = read_description(fmu_file);
    const std::size_t equals = word.find('=');
    if (equals == word.npos)
      add_variables(found, fmu, "", word);
    else
      add_values(found, fmu, word.substr(0, equals), word.substr(0, equals + 1), word);
    return by_segments(std::move(found), word, short_list);
  }
  System system;
  const fs::path written = system_on(line);
  if (is_system_file(written)) {
    try {
      system = read_system(written);
    } catch (const std::exception&) {
      system = {};  // the keys are known without it
    }
  }
  add_components(found, system, word);
  found = by_segments(std::move(found), word, short_list);
  Completion keys;
  add_keys(keys, system, word);
  for (Candidate& key : by_segments(std::move(keys), word, 1).candidates)
    found.candidates.push_back(std::move(key));
  return found;
}

/// Continuous variables of an FMU or system: those that a linear model can have.
Completion complete_continuous(const BegunLine& line, const std::string& word) {
  Completion found;
  const auto add = [&](const ModelDescription& model, const std::string& prefix) {
    for (const Variable& variable : model.variables)
      if (variable.variability == Variability::continuous &&
          (variable.causality == Causality::input || variable.causality == Causality::output))
        add_if_begun(found, word, prefix + variable.name, description_of(variable));
  };
  const fs::path file = line.value_of("FILE");
  if (kind_of(file) == FileKind::fmu) {
    add(read_description(file), "");
    return by_segments(std::move(found), word, short_list);
  }
  if (!is_system_file(file)) return found;
  const System system = read_system(file);
  for (const Component& component : system.components)
    add(describe_component(system, component), component.name + ".");
  return by_segments(std::move(found), word, short_list);
}

Completion complete_variable(const BegunLine& line, const std::string& word) {
  Completion found;
  for (const Variable& variable : read_description(line.value_of("FMU")).variables)
    add_if_begun(found, word, variable.name, description_of(variable));
  return by_segments(std::move(found), word, short_list);
}

}  // namespace tutti::cli
