// SPDX-License-Identifier: BSD-2-Clause
#include "system/patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "system/endpoint.hpp"

namespace tutti::system {
namespace {

/// A whole component stands for all its variables.
std::string_view pattern_of(const Endpoint& end) {
  return end.variable.empty() ? std::string_view("*") : std::string_view(end.variable);
}

std::vector<std::string_view> split_at_stars(std::string_view pattern) {
  std::vector<std::string_view> pieces;
  for (std::size_t star = pattern.find('*'); star != std::string_view::npos;
       star = pattern.find('*')) {
    pieces.push_back(pattern.substr(0, star));
    pattern.remove_prefix(star + 1);
  }
  pieces.push_back(pattern);
  return pieces;
}

/// The parts of a name that the stars between the pieces match: each as short as possible.
std::optional<std::vector<std::string_view>> match(std::span<const std::string_view> pieces,
                                                   std::string_view name) {
  if (!name.starts_with(pieces.front())) return std::nullopt;
  name.remove_prefix(pieces.front().size());
  std::vector<std::string_view> stars;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const bool is_last = i + 1 == pieces.size();
    if (is_last && !name.ends_with(pieces[i])) return std::nullopt;
    const std::size_t end = is_last ? name.size() - pieces[i].size() : name.find(pieces[i]);
    if (end == std::string_view::npos) return std::nullopt;
    stars.push_back(name.substr(0, end));
    name.remove_prefix(end + pieces[i].size());
  }
  return stars;
}

/// The right side of a pattern, which converts the name of an output to that of an input.
class TargetName {
 public:
  TargetName(const Connection& pattern, std::size_t source_stars)
      : pieces_(split_at_stars(pattern_of(pattern.to))),
        keeps_name_(pattern_of(pattern.to) == "*") {
    const std::size_t stars = pieces_.size() - 1;
    const auto shown = [](const Endpoint& end) { return printable(text_of(end)); };
    if (source_stars == 0)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" is one variable, but \"{}\" stands for several",
                              shown(pattern.from), shown(pattern.to)),
                  {.hint = fmt::format("Name the input, as \"{}.{}\".", pattern.to.component,
                                       printable(pattern.from.variable))});
    if (stars == 0)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" stands for several variables, but \"{}\" is one",
                              shown(pattern.from), shown(pattern.to)),
                  {.hint = fmt::format("Name one output, or connect equal names: \"{} -> {}.*\".",
                                       shown(pattern.from), pattern.to.component)});
    if (!keeps_name_ && stars != source_stars)
      throw Error(
          ErrorCode::usage,
          fmt::format("\"{}\" and \"{}\" have {} and {}", shown(pattern.from), shown(pattern.to),
                      counted(source_stars, "star"), counted(stars, "star")),
          {.hint = "Each star on the right is replaced by the text that one on the left matches; "
                   "\"*\" alone on the right means the same name."});
  }
  std::string of(std::string_view output, std::span<const std::string_view> stars) const {
    if (keeps_name_) return std::string(output);
    std::string name(pieces_.front());
    for (std::size_t i = 0; i < stars.size(); ++i) name.append(stars[i]).append(pieces_[i + 1]);
    return name;
  }

 private:
  std::vector<std::string_view> pieces_;
  bool keeps_name_;
};

std::vector<std::string> names_with(const ModelDescription& model, Causality causality) {
  std::vector<std::string> names;
  for (const Variable& variable : model.variables)
    if (variable.causality == causality) names.push_back(printable(variable.name));
  return names;
}

std::string hint_of(std::string_view what, const std::vector<std::string>& names) {
  return names.empty() ? fmt::format("It has no {}s.", what)
                       : fmt::format("Its {}s are {}.", what, list_some(names));
}

/// Reports that no output of the component matches the left side.
[[noreturn]] void refuse_outputs(const Connection& pattern, const Component& component,
                                 const ModelDescription& model) {
  const std::vector<std::string> names = names_with(model, Causality::output);
  throw Error(ErrorCode::usage,
              fmt::format("{} has no output that matches \"{}\".", called(component),
                          printable(pattern_of(pattern.from))),
              {.component = component.name,
               .hint = did_you_mean(pattern_of(pattern.from), {names.begin(), names.end()}) + " " +
                       hint_of("output", names)});
}

/// Reports that outputs match, but no input does.
[[noreturn]] void refuse_inputs(const Connection& pattern, const Component& component,
                                const ModelDescription& model,
                                const std::vector<std::string>& wanted) {
  const std::vector<std::string> names = names_with(model, Causality::input);
  std::string near;
  for (const std::string& name : wanted)
    if (near.empty()) near = did_you_mean(name, {names.begin(), names.end()});
  std::vector<std::string> shown;
  for (const std::string& name : wanted) shown.push_back(fmt::format("\"{}\"", printable(name)));
  throw Error(
      ErrorCode::usage,
      fmt::format("{} has no input {}.", called(component), list_some(shown, " or ")),
      {.component = component.name,
       .hint = near + " " + hint_of("input", names) +
               (pattern_of(pattern.to) == "*" ? " Names must be equal; else name both variables."
                                              : "")});
}

}  // namespace

const ModelDescription& ConnectionPatterns::model(const Endpoint& end) const {
  return *descriptions_[static_cast<std::size_t>(names_.find(end.component))];
}

bool ConnectionPatterns::stands_for_several(const Endpoint& end) const {
  return end.variable.empty() ||
         (end.variable.find('*') != std::string::npos && model(end).find(end.variable) == nullptr);
}

bool ConnectionPatterns::is_pattern(const Connection& connection) const {
  for (const Endpoint* const end : {&connection.from, &connection.to})
    if (end->variable.empty() || end->variable.find('*') != std::string::npos)
      return names_.find(connection.from.component) >= 0 &&
             names_.find(connection.to.component) >= 0 &&
             (stands_for_several(connection.from) || stands_for_several(connection.to));
  return false;
}

std::vector<Connection> ConnectionPatterns::expand(const Connection& pattern) {
  if (named_component_ != pattern.to.component) {
    named_ = inputs_named(pattern.to.component);
    named_component_ = pattern.to.component;
  }
  const std::vector<std::string_view> pieces =
      stands_for_several(pattern.from) ? split_at_stars(pattern_of(pattern.from))
                                       : std::vector<std::string_view>{pattern.from.variable};
  const TargetName target(pattern, pieces.size() - 1);
  const ModelDescription& from_model = model(pattern.from);
  const ModelDescription& to_model = model(pattern.to);
  std::vector<Connection> all;
  std::vector<std::string> wanted;
  bool is_driven = false;
  for (const Variable& output : from_model.variables) {
    if (output.causality != Causality::output) continue;
    const auto stars = match(pieces, output.name);
    if (!stars) continue;
    std::string name = target.of(output.name, *stars);
    const Variable* const input = to_model.find(name);
    if (input == nullptr || input->causality != Causality::input) {
      wanted.push_back(std::move(name));
    } else if (named_.contains(input)) {
      is_driven = true;
    } else {
      Connection& connection = all.emplace_back(pattern);
      connection.from.variable = output.name;
      connection.to.variable = std::move(name);
    }
  }
  if (!all.empty() || is_driven) return all;
  const auto component = [&](const Endpoint& end) -> const Component& {
    return system_.components[static_cast<std::size_t>(names_.find(end.component))];
  };
  if (wanted.empty()) refuse_outputs(pattern, component(pattern.from), from_model);
  refuse_inputs(pattern, component(pattern.to), to_model, wanted);
}

/// The inputs of a component that the system drives by their names.
std::set<const Variable*> ConnectionPatterns::inputs_named(const std::string& component) const {
  const ModelDescription& model = *descriptions_[static_cast<std::size_t>(names_.find(component))];
  std::set<const Variable*> all;
  const auto add = [&](const Endpoint& end) {
    if (end.component != component) return;
    if (const Variable* const variable = model.find(end.variable)) all.insert(variable);
  };
  for (const Connection& connection : system_.connections)
    if (!is_pattern(connection)) add(connection.to);
  for (const auto& [to, value] : system_.inputs.constants) add(to);
  for (const InputFile& table : system_.inputs.tables)
    for (const InputColumn& column : table.columns) add(column.to);
  for (const DelayedSignal& delay : system_.delays) add(delay.to);
  const Component& owner = system_.components[static_cast<std::size_t>(names_.find(component))];
  for (const Port& port : owner.ports)
    for (const auto* names :
         {&port.effort, &port.wave.value, &port.wave.slope, &port.wave.impedance, &port.wave.table})
      for (const std::string& name : *names) add({component, name});
  return all;
}

std::vector<Connection> expanded_connections(
    const System& system, std::span<const ModelDescription* const> descriptions) {
  ConnectionPatterns patterns(system, descriptions);
  Problems problems;
  std::vector<Connection> all;
  for (const Connection& connection : system.connections) {
    if (!patterns.is_pattern(connection)) {
      all.push_back(connection);
      continue;
    }
    try {
      std::ranges::move(patterns.expand(connection), std::back_inserter(all));
    } catch (const Error& error) {
      problems.add(connection.place, fmt::format("connection \"{}\"", text_of(connection)), error);
    }
  }
  problems.raise();
  return all;
}

}  // namespace tutti::system
