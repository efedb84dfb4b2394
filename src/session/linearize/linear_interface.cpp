// SPDX-License-Identifier: BSD-2-Clause
#include "session/linearize/linear_interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/number_type.hpp"
#include "base/text.hpp"
#include "fmi/shape.hpp"

namespace tutti::session {
namespace {

using models::RealElement;
using system::Point;

bool is_continuous(const Variable& variable) {
  return is_float(variable.type) && variable.variability == Variability::continuous &&
         variable.causality != Causality::independent;
}

bool is_tunable(const Variable& variable) {
  return is_float(variable.type) && variable.causality == Causality::parameter &&
         variable.variability == Variability::tunable;
}

/// The names of the variables of a system.
class Names {
 public:
  explicit Names(const PreparedSystem& prepared) : prepared_(prepared) {}

  const Variable& variable(std::uint32_t component, std::int32_t index) const {
    return prepared_.models().descriptions[component]->variables[static_cast<std::size_t>(index)];
  }
  const Variable& variable(const Point& point) const {
    return variable(point.component, point.variable);
  }
  std::vector<std::uint64_t> shape(std::uint32_t component, std::int32_t index) const {
    return fmi::shape_of(*prepared_.models().descriptions[component], variable(component, index),
                         prepared_.models().structures[component]);
  }
  std::string name(const Point& point) const {
    return prepared_.system().qualified(
        point.component, fmi::element_name(variable(point).name,
                                           shape(point.component, point.variable), point.element));
  }
  /// Calls action(component, index of the variable, its name) for all variables.
  template <class Action>
  void visit(const Action& action) const {
    for (std::uint32_t c = 0; c < prepared_.models().descriptions.size(); ++c) {
      const auto& variables = prepared_.models().descriptions[c]->variables;
      for (std::size_t v = 0; v < variables.size(); ++v)
        action(c, static_cast<std::int32_t>(v), prepared_.system().qualified(c, variables[v].name));
    }
  }

 private:
  const PreparedSystem& prepared_;
};

/// What one of the options --inputs and --outputs selects.
class NameChoice {
 public:
  NameChoice(const Names& names, bool of_inputs) : names_(names), of_inputs_(of_inputs) {}

  /// In the order of the patterns; without them the preset.
  std::vector<Point> choose(const std::vector<std::string>& patterns, std::vector<Point> preset) {
    if (patterns.empty()) return preset;
    preset_ = {preset.begin(), preset.end()};
    std::vector<Point> chosen;
    for (const std::string& pattern : patterns) {
      const std::size_t before = chosen.size();
      names_.visit([&](std::uint32_t c, std::int32_t v, const std::string& name) {
        add(pattern, c, v, name, chosen);
      });
      if (chosen.size() == before && !is_known_) refuse(pattern);
      is_known_ = false;
    }
    return chosen;
  }

 private:
  bool fits(std::uint32_t component, std::int32_t index) const {
    const Variable& variable = names_.variable(component, index);
    const bool is_input = variable.causality == Causality::input;
    if (is_continuous(variable)) return is_input == of_inputs_;
    return of_inputs_ && is_tunable(variable);
  }
  void add(const std::string& pattern, std::uint32_t c, std::int32_t v, const std::string& name,
           std::vector<Point>& chosen) {
    const bool is_array = names_.variable(c, v).is_array();
    const bool whole = pattern == name;
    const bool globbed = !whole && glob_match(pattern, name);
    const bool in_array = is_array && pattern.starts_with(name + "[");
    if (!(whole || globbed || in_array) || !fits(c, v)) return;
    const auto shape = names_.shape(c, v);
    for (std::uint64_t e = 0; e < fmi::element_count(shape); ++e) {
      const Point point{c, v, e};
      if (in_array && names_.name(point) != pattern) continue;
      // A pattern does not select disturbances of connected inputs.
      if (globbed && of_inputs_ && !preset_.contains(point)) continue;
      is_known_ = true;
      if (taken_.insert(point).second) chosen.push_back(point);
    }
  }
  [[noreturn]] void refuse(const std::string& pattern) const {
    const std::string_view what = of_inputs_ ? "input" : "output";
    const std::string_view key = of_inputs_ ? "inputs" : "outputs";
    std::vector<std::string> possible;
    names_.visit([&](std::uint32_t c, std::int32_t v, const std::string& name) {
      const Variable& variable = names_.variable(c, v);
      if (name == pattern)
        throw Error(ErrorCode::usage, reason(variable, pattern), {.key = std::string(key)});
      if (fits(c, v)) possible.push_back(name);
    });
    std::vector<std::string_view> candidates(possible.begin(), possible.end());
    throw Error(ErrorCode::usage,
                fmt::format("there is no continuous {} \"{}\".{}", what, pattern,
                            did_you_mean(pattern, candidates)),
                {.key = std::string(key)});
  }
  std::string reason(const Variable& variable, const std::string& name) const {
    if (!is_continuous(variable))
      return fmt::format(
          "\"{}\" is {} and {}{}", name, to_string(variable.type), to_string(variable.variability),
          of_inputs_ ? ": inputs of a linear model are continuous real inputs, and tunable real "
                       "parameters"
                     : ": outputs of a linear model are continuous real variables");
    if (of_inputs_)
      return fmt::format(
          "\"{}\" is no input, but {}: inputs of a linear model are continuous real inputs, and "
          "tunable real parameters",
          name, to_string(variable.causality));
    return fmt::format(
        "\"{}\" is an input: it cannot be an output of the linear model. Name the "
        "output that it is connected to.",
        name);
  }

  const Names& names_;
  bool of_inputs_;
  bool is_known_ = false;  ///< the present pattern selects something
  std::set<Point> preset_, taken_;
};

std::vector<Point> free_inputs(const PreparedSystem& prepared, const Names& names) {
  std::vector<Point> points;
  for (const system::ExternalInput& external : prepared.plan().external)
    points.push_back(external.to);
  for (const Point& point : prepared.plan().unconnected_inputs) points.push_back(point);
  std::erase_if(points, [&](const Point& p) { return !is_continuous(names.variable(p)); });
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::vector<Point> all_outputs(const Names& names) {
  std::vector<Point> points;
  names.visit([&](std::uint32_t c, std::int32_t v, const std::string&) {
    const Variable& variable = names.variable(c, v);
    if (variable.causality != Causality::output || !is_continuous(variable)) return;
    for (std::uint64_t e = 0; e < fmi::element_count(names.shape(c, v)); ++e)
      points.push_back({c, v, e});
  });
  return points;
}

/// Points numbered by component.
std::map<Point, std::size_t> numbered(const std::set<Point>& points) {
  std::map<Point, std::size_t> numbers;
  for (const Point& point : points) numbers.emplace(point, numbers.size());
  return numbers;
}

}  // namespace

LinearInterface find_linear_interface(const PreparedSystem& prepared,
                                      const LinearizeOptions& options) {
  const Names names(prepared);
  const std::size_t count = prepared.models().descriptions.size();
  LinearInterface result;
  const auto external =
      NameChoice(names, true).choose(options.inputs, free_inputs(prepared, names));
  const auto chosen = NameChoice(names, false).choose(options.outputs, all_outputs(names));
  std::set<Point> used_inputs(external.begin(), external.end());
  std::set<Point> used_outputs(chosen.begin(), chosen.end());
  std::vector<const system::Link*> links;
  for (const system::Link& link : prepared.plan().links) {
    if (!is_continuous(names.variable(link.from)) || !is_continuous(names.variable(link.to))) {
      ++result.other_links;
      continue;
    }
    links.push_back(&link);
    used_inputs.insert(link.to);
    used_outputs.insert(link.from);
  }
  const auto inputs = numbered(used_inputs), outputs = numbered(used_outputs);
  const auto lay_out = [&](const std::map<Point, std::size_t>& numbers,
                           std::vector<std::vector<RealElement>>& by_component,
                           std::vector<std::size_t>& first, std::vector<std::string>& all_names,
                           std::vector<std::string>& units,
                           std::vector<std::uint32_t>& components) {
    by_component.resize(count);
    first.resize(count);
    for (const auto& [point, number] : numbers) {
      by_component[point.component].push_back({point.variable, point.element});
      all_names.push_back(names.name(point));
      units.push_back(names.variable(point).attributes.unit);
      components.push_back(point.component);
    }
    for (std::size_t c = 1; c < count; ++c) first[c] = first[c - 1] + by_component[c - 1].size();
  };
  lay_out(inputs, result.inputs, result.first_input, result.input_names, result.input_units,
          result.component_of_input);
  lay_out(outputs, result.outputs, result.first_output, result.output_names, result.output_units,
          result.component_of_output);
  for (const auto& [point, number] : inputs) {
    const double nominal = std::abs(names.variable(point).attributes.nominal.value_or(1));
    result.input_sizes.push_back(nominal > 0 ? nominal : 1);
  }
  for (const system::Link* const link : links)
    result.links.push_back(
        {inputs.at(link->to), outputs.at(link->from), link->factor, link->offset});
  for (const Point& point : external) result.external.push_back(inputs.at(point));
  for (const Point& point : chosen) result.chosen.push_back(outputs.at(point));
  return result;
}

}  // namespace tutti::session
