// SPDX-License-Identifier: BSD-2-Clause
// The unknowns and equations of a steady state by name: states, free inputs, fixed values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "session/steady/steady_equations.hpp"

namespace tutti::session {
namespace {

using models::Scalar;

const Variable& variable_of(const ModelDescription& model, std::int32_t index) {
  return model.variables[static_cast<std::size_t>(index)];
}

bool is_free_kind(const Variable& v) {
  return v.type == Type::float64 &&
         ((v.causality == Causality::input && v.variability == Variability::continuous) ||
          (v.causality == Causality::parameter && v.variability == Variability::tunable));
}

}  // namespace

SteadyScalar SteadyEquations::scalar_of(std::int32_t variable, std::uint64_t element,
                                        const std::string& name) const {
  const Variable& v = variable_of(model_.description(), variable);
  const double nominal = std::abs(v.attributes.nominal.value_or(1));
  return {variable, element, model_.shown(name), v.attributes.unit,
          nominal > 0 && std::isfinite(nominal) ? nominal : 1};
}

// FMI 1.0 does not name the states in its descriptions, but the FMU can.
void SteadyEquations::name_states() {
  const std::size_t count = instance_->continuous_state_count();
  const auto& names = instance_->state_structure()->names;
  std::vector<double> nominals(count);
  if (count > 0) instance_->get_nominals(nominals);
  const ModelDescription& whole = model_.description();
  std::size_t i = 0;
  std::uint32_t m = 0;
  for (const auto& member : instance_->members()) {
    const std::size_t own = member->continuous_state_count();
    const auto references = member->description().version == FmiVersion::v1
                                ? member->state_references()
                                : std::vector<ValueReference>();
    for (std::size_t s = 0; s < own; ++s, ++i) {
      SteadyScalar state{-1, 0, names[i], "", 1};
      const std::string& name = names[i];
      if (const Variable* const named = whole.find(name)) {
        state = scalar_of(static_cast<std::int32_t>(named - whole.variables.data()), 0, name);
      } else if (const std::size_t open = name.rfind('['); open != std::string::npos) {
        if (const Variable* const array = whole.find(name.substr(0, open)))
          state = scalar_of(static_cast<std::int32_t>(array - whole.variables.data()), 0, name);
      } else if (s < references.size()) {
        const auto& variables = member->description().variables;
        const auto found = std::ranges::find_if(variables, [&](const Variable& v) {
          return v.type == Type::float64 && v.alias == AliasKind::none &&
                 v.value_reference == references[s];
        });
        if (found != variables.end()) {
          const std::int32_t index =
              model_.cluster().whole(m, static_cast<std::int32_t>(found - variables.begin()));
          state = scalar_of(index, 0, variable_of(whole, index).name);
        }
      }
      state.nominal = nominals[i];
      states_.push_back(std::move(state));
    }
    ++m;
  }
}

std::string SteadyEquations::why_not_free(const Scalar& scalar) const {
  const Variable& v = variable_of(model_.description(), scalar.variable);
  if (v.type != Type::float64) return "it is not of the type Float64 (Real)";
  if (v.causality == Causality::parameter && v.variability != Variability::tunable)
    return "it is a parameter that is fixed at the start; only tunable parameters can be free";
  if (!is_free_kind(v)) return "it is not a continuous input or a tunable parameter";
  const auto origin = model_.cluster().origin_of(scalar.variable);
  switch (model_.source_of({origin.member, origin.variable, scalar.element})) {
    case WholeModel::Source::connection:
      return "a connection drives it";
    case WholeModel::Source::table:
      return "a table drives it";
    default:
      return {};
  }
}

void SteadyEquations::choose_free(const std::vector<std::string>& patterns) {
  if (patterns.empty()) return;
  const ModelDescription& whole = model_.description();
  std::vector<std::int32_t> all;
  for (std::size_t v = 0; v < whole.variables.size(); ++v)
    if (!is_text(whole.variables[v].type) && whole.variables[v].type != Type::clock)
      all.push_back(static_cast<std::int32_t>(v));
  const models::ValueSet every(whole, all, model_.structure());
  std::vector<bool> is_chosen(every.scalars().size());
  system::Problems problems;
  for (const std::string& pattern : patterns) {
    bool any = false;
    std::string why;
    for (std::size_t k = 0; k < every.scalars().size(); ++k) {
      const Scalar& scalar = every.scalars()[k];
      if (!glob_match(pattern, model_.shown(scalar.name)) && pattern != model_.shown(scalar.name))
        continue;
      if (why = why_not_free(scalar); why.empty()) is_chosen[k] = any = true;
    }
    if (any) continue;
    std::vector<std::string> names;
    for (const Scalar& scalar : every.scalars())
      if (why_not_free(scalar).empty()) names.push_back(model_.shown(scalar.name));
    const std::vector<std::string_view> views(names.begin(), names.end());
    if (!why.empty())
      problems.add(fmt::format("\"{}\" cannot be free: {}", printable(pattern), why),
                   {.key = "free"});
    else
      problems.add(
          fmt::format("no input or tunable parameter is called \"{}\".", printable(pattern)),
          {.key = "free",
           .hint = names.empty() ? "There are none without a source."
                                 : fmt::format("{} Those without a source: {}",
                                               did_you_mean(pattern, views), list_some(names))});
  }
  problems.raise();
  std::vector<std::int32_t> variables;
  for (std::size_t k = 0; k < every.scalars().size(); ++k) {
    if (!is_chosen[k]) continue;
    const Scalar& scalar = every.scalars()[k];
    if (variables.empty() || variables.back() != scalar.variable)
      variables.push_back(scalar.variable);
    free_.push_back(scalar_of(scalar.variable, scalar.element, scalar.name));
    has_tunable_ |= variable_of(whole, scalar.variable).causality == Causality::parameter;
  }
  inputs_ = models::ValueSet(whole, variables, model_.structure());
}

void SteadyEquations::choose_fixed(const std::vector<std::pair<std::string, double>>& fixed) {
  const ModelDescription& whole = model_.description();
  system::Problems problems;
  std::vector<std::int32_t> variables;
  for (const auto& [name, value] : fixed) {
    std::vector<std::string> names;
    std::optional<SteadyScalar> found;
    for (std::size_t v = 0; v < whole.variables.size(); ++v) {
      const Variable& variable = whole.variables[v];
      if (variable.type != Type::float64) continue;
      const auto index = static_cast<std::int32_t>(v);
      const auto shape = fmi::shape_of(whole, variable, model_.structure());
      for (std::uint64_t e = 0; e < fmi::element_count(shape); ++e) {
        const std::string full =
            variable.is_array() ? fmi::element_name(variable.name, shape, e) : variable.name;
        names.push_back(model_.shown(full));
        if (names.back() == name) found = scalar_of(index, e, full);
      }
    }
    if (!found) {
      const std::vector<std::string_view> views(names.begin(), names.end());
      problems.add(fmt::format("there is no variable \"{}\" of the type Float64.", printable(name)),
                   {.key = "fix", .hint = did_you_mean(name, views)});
      continue;
    }
    if (std::ranges::find(fixed_, found->name, &SteadyScalar::name) != fixed_.end()) {
      problems.add(fmt::format("\"{}\" is fixed twice", printable(name)), {.key = "fix"});
      continue;
    }
    const Causality causality = variable_of(whole, found->variable).causality;
    if (causality != Causality::output && causality != Causality::local) {
      problems.add(fmt::format("\"{}\" is an input or parameter, not a result of the equations",
                               printable(name)),
                   {.key = "fix", .hint = fmt::format("Set it: --set {}={}", name, value)});
      continue;
    }
    const auto state = std::ranges::find_if(states_, [&](const SteadyScalar& s) {
      return s.variable == found->variable && s.name == found->name;
    });
    fixed_state_.push_back(
        state == states_.end() ? -1 : static_cast<std::int32_t>(state - states_.begin()));
    if (std::ranges::find(variables, found->variable) == variables.end())
      variables.push_back(found->variable);
    fixed_.push_back(*std::move(found));
    targets_.push_back(value);
  }
  problems.raise();
  outputs_ = models::ValueSet(whole, variables, model_.structure());
}

void SteadyEquations::check_counts() const {
  if (free_.size() == fixed_.size()) return;
  const auto listed = [](const std::vector<SteadyScalar>& all) {
    std::vector<std::string> names;
    for (const SteadyScalar& one : all) names.push_back(one.name);
    return all.empty() ? std::string() : fmt::format(" ({})", list_some(names));
  };
  throw Error(
      ErrorCode::usage,
      fmt::format("{} fixed{}, {} free{}: each fixed value needs a free input that makes it "
                  "possible, and each free input a fixed value that determines it",
                  counted(fixed_.size(), "value"), listed(fixed_), counted(free_.size(), "input"),
                  listed(free_)),
      {.key = fixed_.size() > free_.size() ? "free" : "fix",
       .hint = fixed_.size() > free_.size()
                   ? "Name inputs or tunable parameters with --free. A state that the equations "
                     "leave undetermined keeps its start value: use --set for it."
                   : "Give values of states or outputs with --fix NAME=VALUE."});
}

bool SteadyEquations::is_settable(const SteadyScalar& scalar) const {
  if (scalar.variable < 0) return false;
  try {
    models::check_start(model_.description(),
                        variable_of(model_.description(), scalar.variable).name);
  } catch (const Error&) {
    return false;
  }
  const auto origin = model_.cluster().origin_of(scalar.variable);
  const ModelDescription& own = *model_.cluster().descriptions[origin.member];
  try {  // of the member, whose version of FMI decides
    models::check_start(own, variable_of(own, origin.variable).name);
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace tutti::session
