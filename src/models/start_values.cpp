// SPDX-License-Identifier: BSD-2-Clause
#include "models/start_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::models {
namespace {

/// A variable, and the position in it if the name has an index: `y[2]`, `A[1,2]`.
struct Target {
  const Variable* variable = nullptr;
  std::string_view index;  // between the brackets; empty: the whole variable
};

Target find_target(const ModelDescription& description, std::string_view name) {
  if (const Variable* variable = description.find(name)) return {variable, {}};
  if (name.ends_with(']')) {
    const std::size_t open = name.rfind('[');
    if (open != std::string_view::npos)
      if (const Variable* array = description.find(name.substr(0, open));
          array && array->is_array())
        return {array, name.substr(open + 1, name.size() - open - 2)};
  }
  throw Error(
      ErrorCode::usage,
      fmt::format("there is no variable \"{}\" in model \"{}\".", name, description.model_name),
      {.variable = std::string(name), .hint = did_you_mean(name, names_of(description.variables))});
}

/// FMI 2.0, 2.2.7 and FMI 3.0, 2.4.7.5: what has a start value that the environment may change.
void check_settable(const ModelDescription& description, const Variable& variable) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::usage, fmt::format("\"{}\" cannot be set: {}", variable.name, why),
                {.variable = variable.name,
                 .hint = "Parameters, inputs and variables with initial = \"exact\" or \"approx\" "
                         "can."});
  };
  if (variable.variability == Variability::constant) refuse("it is a constant");
  if (variable.causality == Causality::independent) refuse("it is the independent variable");
  if (variable.type == Type::clock) refuse("it is a clock");
  const bool free = variable.causality == Causality::input ||
                    variable.causality == Causality::parameter ||
                    variable.causality == Causality::structural_parameter;
  if (description.version != FmiVersion::v1 && !free && variable.initial != Initial::exact &&
      variable.initial != Initial::approx)
    refuse("the model calculates it");
}

/// Fills the elements of `variable` in `values` from its start in the description, so that setting
/// one element leaves the others as they were.
void fill_from_start(ValueSet& values, std::int32_t index, const ModelDescription& description) {
  const Variable& variable = description.variables[static_cast<std::size_t>(index)];
  if (variable.start.empty()) return;
  for (const Scalar& scalar : values.scalars()) {
    if (scalar.variable != index) continue;
    // FMI 3.0, 2.4.7.6: one start value for an array applies to all its elements.
    const std::size_t at = variable.start.size() == 1 ? 0 : scalar.element;
    if (at < variable.start.size()) values.assign(scalar, variable.start[at], description);
  }
}

}  // namespace

void check_range(const Variable& variable, const Scalar& scalar, const ValueSet& values) {
  if (is_text(scalar.type) || scalar.type == Type::boolean || scalar.type == Type::clock) return;
  const double value = as_real(scalar.type, values.read(scalar));
  const auto& [min, max] = std::pair(variable.attributes.min, variable.attributes.max);
  if (min && !(value >= *min))
    throw Error(ErrorCode::usage, fmt::format("{} is below the minimum {}", value, *min));
  if (max && !(value <= *max))
    throw Error(ErrorCode::usage, fmt::format("{} is above the maximum {}", value, *max));
}

const Variable& find_start(const ModelDescription& description, std::string_view name) {
  return *find_target(description, name).variable;
}

void check_start(const ModelDescription& description, std::string_view name) {
  check_settable(description, *find_target(description, name).variable);
}

std::vector<std::string_view> split_elements(std::string_view text) {
  text = trim(text);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> elements;
  while (!text.empty()) {
    const std::size_t first = text.find_first_not_of(" ,;\t\n");
    if (first == std::string_view::npos) break;
    text.remove_prefix(first);
    const std::size_t end = std::min(text.size(), text.find_first_of(" ,;\t\n"));
    elements.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return elements;
}

StartValues::StartValues(const ModelDescription& description,
                         const std::vector<Assignment>& assignments) {
  if (assignments.empty()) return;
  const auto sets = std::make_shared<Sets>();
  sets_ = sets;
  std::vector<std::int32_t> structural, others, inputs;
  std::vector<Target> targets;
  for (const Assignment& assignment : assignments) {
    const Target target = find_target(description, assignment.name);
    check_settable(description, *target.variable);
    targets.push_back(target);
    const auto index = static_cast<std::int32_t>(target.variable - description.variables.data());
    auto& group = target.variable->causality == Causality::structural_parameter ? structural
                  : target.variable->causality == Causality::input              ? inputs
                                                                                : others;
    if (std::ranges::find(group, index) == group.end()) group.push_back(index);
  }

  const auto fill = [&](ValueSet& values, const std::vector<std::int32_t>& group) {
    values = ValueSet(description, group, sets->structure);
    for (const std::int32_t index : group) fill_from_start(values, index, description);
    for (std::size_t i = 0; i < assignments.size(); ++i) {
      const auto variable =
          static_cast<std::int32_t>(targets[i].variable - description.variables.data());
      if (std::ranges::find(group, variable) == group.end()) continue;
      std::vector<const Scalar*> scalars;
      for (const Scalar& scalar : values.scalars())
        if (scalar.variable == variable &&
            (targets[i].index.empty() || scalar.name == assignments[i].name))
          scalars.push_back(&scalar);
      std::vector<std::string_view> elements;
      if (targets[i].variable->is_array() && targets[i].index.empty())
        elements = split_elements(assignments[i].value);
      else
        elements = {assignments[i].value};
      if (elements.size() == 1) elements.resize(scalars.size(), elements.front());
      try {
        if (scalars.empty())
          throw Error(ErrorCode::usage, fmt::format("there is no element [{}]", targets[i].index));
        if (elements.size() != scalars.size())
          throw Error(ErrorCode::usage,
                      fmt::format("{} values given, but the array has {} elements", elements.size(),
                                  scalars.size()));
        for (std::size_t k = 0; k < scalars.size(); ++k) {
          values.assign(*scalars[k], elements[k], description);
          check_range(*targets[i].variable, *scalars[k], values);
        }
      } catch (const Error& error) {
        throw error.as(ErrorCode::usage)
            .within(fmt::format("cannot set \"{}\" to \"{}\"", assignments[i].name,
                                assignments[i].value),
                    {.variable = assignments[i].name});
      }
    }
  };

  fill(sets->structural, structural);
  for (const Scalar& scalar : sets->structural.scalars()) {
    const auto index = static_cast<std::size_t>(scalar.variable);
    sets->structure[description.variables[index].value_reference] =
        sets->structural.read(scalar).natural;
  }
  fill(sets->others, others);
  fill(sets->inputs, inputs);
}

const StructuralValues& StartValues::structure() const {
  static const StructuralValues none;
  return sets_ ? sets_->structure : none;
}

void StartValues::apply_before_initialization(fmi::FmuInstance& instance) const {
  if (!sets_) return;
  if (!sets_->structural.empty()) {
    instance.enter_configuration_mode();
    sets_->structural.set_to(instance);
    instance.exit_configuration_mode();
  }
  sets_->others.set_to(instance);
}

void StartValues::apply_in_initialization(fmi::FmuInstance& instance) const {
  if (sets_) sets_->inputs.set_to(instance);
}

void StartValues::apply_to(VariableAccess& model) const {
  if (!sets_) return;
  sets_->others.set_to(model);
  sets_->inputs.set_to(model);
}

void StartValues::copy_inputs_to(ValueSet& inputs, const ModelDescription& description) const {
  for (const std::int32_t index : inputs.variables()) {
    const Variable& variable = description.variables[static_cast<std::size_t>(index)];
    // Start values for another size than the present one are ignored.
    const std::uint64_t count =
        fmi::element_count(fmi::shape_of(description, variable, structure()));
    if (variable.start.size() == 1 || variable.start.size() == count)
      fill_from_start(inputs, index, description);
  }
  if (!sets_) return;
  for (const Scalar& from : sets_->inputs.scalars())
    for (const Scalar& to : inputs.scalars()) {
      if (to.name != from.name) continue;
      if (is_text(from.type))
        inputs.write_text(to, sets_->inputs.text(from));
      else
        inputs.write(to, sets_->inputs.read(from));
    }
}

}  // namespace tutti::models
