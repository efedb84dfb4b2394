// SPDX-License-Identifier: BSD-2-Clause
#include "studies/study_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tutti/error.hpp>
#include <tutti/simulation.hpp>
#include <tutti/system_file.hpp>

#include "base/text.hpp"
#include "fmi/file_cache.hpp"
#include "formats/toml/keys.hpp"
#include "models/start_values.hpp"
#include "results/result_formula.hpp"
#include "session/run_outline.hpp"
#include "system/component_kind.hpp"
#include "system/endpoint.hpp"

namespace tutti::studies {
namespace {

System read_system_of(const Study& study, const FmuOptions& open, const Log& log) {
  if (is_system_file(study.system)) return read_system(study.system, open, log);
  return system_of(study.system);
}

std::vector<NamedValue> named_values(const std::vector<std::pair<std::string, std::string>>& set,
                                     const Place& place) {
  std::vector<NamedValue> values;
  for (const auto& [name, value] : set) values.push_back({name, value, place});
  return values;
}

/// The key in the table of keys: `components.*.step` of `components.wheel.step`, `tlm[].delay` of
/// `tlm.1.delay`. Null: it has another form.
const formats::Key* key_of_setting(const System& system, std::string_view name) {
  constexpr std::string_view components = "components.";
  std::string path(name);
  if (name.starts_with(components)) {
    const Endpoint end = system::ComponentNames(system).split(name.substr(components.size()));
    path = fmt::format("components.*.{}", end.variable);
  } else if (const std::size_t dot = path.find('.'); dot != path.npos) {
    const std::size_t end = path.find_first_not_of("0123456789", dot + 1);
    if (end != path.npos && end > dot + 1 && path[end] == '.') path.replace(dot, end - dot, "[]");
  }
  return formats::find_key(path);
}

bool is_integer_type(Type type) {
  return !is_text(type) && type != Type::float32 && type != Type::float64 &&
         type != Type::boolean && type != Type::clock;
}

/// The value that is set, or else that of the description, if it is one number.
std::optional<double> start_value_of(const Component& component, const std::string& name,
                                     const Variable& variable) {
  std::string text = variable.start.size() == 1 ? variable.start.front() : "";
  for (const auto& [set, value] : component.set)
    if (set == name) text = value;
  double number = 0;
  if (!parse_number(text, number)) return {};
  return number;
}

/// Not a formula of several: `x`, `x[1,2]`.
bool is_variable_name(std::string_view formula) {
  const std::size_t bracket = formula.find('[');
  if (formula.find_first_of("()*/+-^<>=!&|?:, ") < bracket) return false;
  return bracket == formula.npos || formula.find(']') + 1 == formula.size();
}

}  // namespace

StudySystem::StudySystem(const Study& study, const std::vector<std::string>& set,
                         const FmuOptions& open, const Log& log)
    : open_(fmi::with_cache(open)) {
  system_ = read_system_of(study, open_, log);
  assign(system_, named_values(study.set, {study.file.string()}), open_, log);
  std::vector<NamedValue> further;
  for (const std::string& assignment : set) {
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos || equals == 0)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" is not of the form NAME=VALUE", printable(assignment)),
                  {.key = "set"});
    further.push_back({assignment.substr(0, equals), assignment.substr(equals + 1)});
    for (const StudyParameter& parameter : study.parameters)
      if (parameter.name == further.back().name)
        throw Error(ErrorCode::usage,
                    fmt::format("\"{}\" is a parameter that the study varies; it cannot be set",
                                printable(parameter.name)),
                    {.key = "set"});
  }
  assign(system_, further, open_, log);
}

std::pair<std::size_t, std::string> StudySystem::split(const std::string& name) const {
  if (system_.is_single_fmu) {
    const bool is_setting =
        name.starts_with("components.") ||
        (formats::find_key(name) != nullptr && description_of(0)->find(name) == nullptr);
    return {0, is_setting ? "" : name};
  }
  const system::ComponentNames names(system_);
  const Endpoint end = names.split(name);
  if (!end.component.empty())
    return {static_cast<std::size_t>(names.find(end.component)), end.variable};
  const std::vector<std::string_view> sections = formats::names_below("");
  const std::string section = name.substr(0, name.find('.'));
  if (std::ranges::find(sections, section) != sections.end()) return {0, ""};
  names.resolve(name);  // throws
  return {0, ""};
}

std::shared_ptr<const ModelDescription> StudySystem::description_of(std::size_t component) const {
  auto& found = descriptions_[component];
  if (!found) found = system::description_of(system_.components[component], system_.folder, open_);
  return found;
}

ParameterInfo StudySystem::find_variable(const std::string& name, std::size_t component,
                                         const std::string& variable) const {
  const Component& owner = system_.components[component];
  try {
    const ModelDescription& description = *description_of(component);
    models::check_start(description, variable);
    const Variable& found = models::find_start(description, variable);
    const bool is_whole_array = found.is_array() && found.name == variable;
    ParameterInfo info;
    info.name = name;
    info.is_number = !is_whole_array && !is_text(found.type) && found.type != Type::boolean;
    info.is_integer = is_integer_type(found.type);
    info.unit = found.attributes.unit;
    if (info.is_number) info.value = start_value_of(owner, variable, found);
    info.nominal = found.attributes.nominal;
    info.min = found.attributes.min;
    info.max = found.attributes.max;
    return info;
  } catch (const Error& error) {
    if (system_.is_single_fmu) throw;
    throw error.within(fmt::format("component \"{}\"", owner.name), {.component = owner.name});
  }
}

/// As a start value, or as an assignment to a copy of the system.
void StudySystem::check_value(const ParameterInfo& info, const std::string& text) const {
  const auto& [component, variable] = split(info.name);
  if (variable.empty()) {
    System copy = system_;
    assign(copy, fmt::format("{}={}", info.name, text));
    return;
  }
  const ModelDescription& description = *description_of(component);
  // The size of an array may depend on other values; it is checked with all of them.
  if (models::find_start(description, variable).is_array()) return;
  models::StartValues(description, {{variable, text}});
}

void StudySystem::check_range(const ParameterInfo& info, const StudyParameter& parameter) const {
  if (!info.is_number)
    throw Error(ErrorCode::usage, "only numbers have a range",
                {.hint = "List its values: values = [...]."});
  for (const std::optional<double>& value : {parameter.min, parameter.max, parameter.start})
    if (value) check_value(info, number_text(*value));
}

ParameterInfo StudySystem::find(const StudyParameter& parameter) const {
  try {
    const auto& [component, variable] = split(parameter.name);
    ParameterInfo info;
    info.name = parameter.name;
    info.is_setting = variable.empty();
    if (!variable.empty()) {
      info = find_variable(parameter.name, component, variable);
    } else if (const formats::Key* const key = key_of_setting(system_, parameter.name)) {
      info.is_integer = key->field.type == "integer";
    }
    for (const std::string& value : parameter.values) check_value(info, value);
    if (parameter.values.empty()) check_range(info, parameter);
    return info;
  } catch (const Error& error) {
    throw error
        .within(fmt::format("parameter \"{}\"", printable(parameter.name)),
                system::where(parameter.place))
        .as(ErrorCode::usage);
  }
}

std::vector<ParameterInfo> StudySystem::find_all(const Study& study) const {
  system::Problems problems;
  std::vector<ParameterInfo> all;
  problems.attempt([&] { check_spellings(study); });
  for (const StudyParameter& parameter : study.parameters)
    problems.attempt([&] { all.push_back(find(parameter)); });
  problems.raise();
  return all;
}

/// A start value has two names: `ball.e` and `components.ball.set.e`.
void StudySystem::check_spellings(const Study& study) const {
  constexpr std::string_view components = "components.", set = "set.";
  const system::ComponentNames names(system_);
  std::map<std::pair<std::string, std::string>, std::string> known;
  for (const StudyParameter& parameter : study.parameters) {
    const std::string& name = parameter.name;
    Endpoint end = system_.is_single_fmu ? names.resolve(name) : names.split(name);
    if (name.starts_with(components)) {
      end = names.split(std::string_view(name).substr(components.size()));
      if (!end.variable.starts_with(set)) continue;
      end.variable.erase(0, set.size());
    }
    if (end.component.empty()) continue;
    const auto [before, is_new] = known.emplace(std::pair(end.component, end.variable), name);
    if (is_new || before->second == name) continue;  // equal names are reported elsewhere
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" and \"{}\" are two names of one value",
                            printable(before->second), printable(name)),
                system::where(parameter.place, {.hint = "Remove one of them."}));
  }
}

std::string StudySystem::unit_of(std::string_view formula) const {
  formula = trim(formula);
  for (const std::string_view function :
       {"abs(", "end(", "max(", "mean(", "min(", "range(", "rms(", "start(", "at("}) {
    if (!formula.starts_with(function) || !formula.ends_with(')')) continue;
    std::string_view inner = formula.substr(function.size());
    inner.remove_suffix(1);
    return unit_of(function == "at(" ? inner.substr(0, inner.rfind(',')) : inner);
  }
  if (!is_variable_name(formula)) return {};
  const system::ComponentNames names(system_);
  const Endpoint end = system_.is_single_fmu ? names.resolve(formula) : names.split(formula);
  const std::int32_t component = names.find(end.component);
  if (component < 0) return {};
  const Variable* const variable =
      variable_of(*description_of(static_cast<std::size_t>(component)), end.variable);
  return variable == nullptr ? "" : variable->attributes.unit;
}

void StudySystem::find_measured(const std::string& name) const {
  const system::ComponentNames names(system_);
  const Endpoint end = names.resolve(name);
  const auto component = static_cast<std::size_t>(names.find(end.component));
  // The size of an array may depend on values; its elements are checked with them.
  const Variable* const array = description_of(component)->find(
      std::string_view(end.variable).substr(0, end.variable.find('[')));
  if (array != nullptr && array->is_array()) return;
  system::select(system_.components[component], *description_of(component), {}, end.variable);
}

/// Variables of a single FMU have no component before their name, which a constant may be, too.
void StudySystem::check_constants(const std::vector<std::string>& names) const {
  if (!system_.is_single_fmu) return;
  for (const std::string& name : names)
    if (description_of(0)->find(name) != nullptr)
      throw Error(
          ErrorCode::usage,
          fmt::format("\"{}\" is a constant in formulas, but also a variable of the FMU", name),
          {.hint = fmt::format("For the variable, use a system file with the FMU as a "
                               "component, and component.{0}; for the constant, write {1}.",
                               name, name == "e" ? "exp(1)" : "acos(-1)")});
}

void StudySystem::check_formula(const Measure& measure, const Place& place) const {
  try {
    const auto check = [this](const auto& formula) {
      check_constants(formula.constants());
      for (const std::string& name : formula.names()) find_measured(name);
    };
    if (measure.times.empty())
      check(results::ResultFormula(measure.formula));
    else
      check(results::SampledFormula(measure.formula, measure.times));
  } catch (const Error& error) {
    throw error
        .within(fmt::format("formula \"{}\"", printable(measure.formula)), system::where(place))
        .as(ErrorCode::usage);
  }
}

System StudySystem::with(const std::vector<std::pair<std::string, std::string>>& set,
                         const std::filesystem::path& inputs, const Place& place,
                         const Log& log) const {
  System system = system_;
  if (!inputs.empty()) system.inputs.file = std::filesystem::absolute(inputs);
  assign(system, named_values(set, place), open_, log);
  return system;
}

RunSpan span_of(const System& system, const FmuOptions& open) {
  const auto description =
      system.is_single_fmu ? system::description_of(system.components.front(), system.folder, open)
                           : nullptr;
  const DefaultExperiment experiment =
      description ? description->default_experiment : DefaultExperiment{};
  session::RunSetup setup;
  session::resolve_time(session::TimeSettings(system), experiment, setup);
  RunSpan span{setup.time.grid.start(), setup.time.grid.stop(), 0};
  const bool is_uniform = !system.simulation.per_decade && system.simulation.points.empty() &&
                          (system.simulation.step || experiment.step.value_or(0) > 0);
  if (is_uniform) span.step = setup.step;
  return span;
}

const Variable* variable_of(const ModelDescription& description, std::string_view name) {
  const Variable* const found = description.find(name);
  return found != nullptr ? found : description.find(name.substr(0, name.find('[')));
}

}  // namespace tutti::studies
