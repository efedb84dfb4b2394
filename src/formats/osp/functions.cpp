// SPDX-License-Identifier: BSD-2-Clause
#include "formats/osp/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::formats::osp {
namespace {

/// `in`, or with several inputs `in[0]`, `in[1]`, ...
std::string input_name(const Function& function, std::size_t index) {
  return function.kind == Function::Kind::linear_transformation ? "in"
                                                                : fmt::format("in[{}]", index);
}

std::optional<std::size_t> input_index(const Function& function, const std::string& signal) {
  for (std::size_t i = 0; i < function.inputs; ++i)
    if (signal == input_name(function, i)) return i;
  return std::nullopt;
}

}  // namespace

Functions::Functions(const std::vector<Function>& functions, Models& models)
    : functions_(functions), models_(models), wirings_(functions.size()) {
  for (std::size_t i = 0; i < functions.size(); ++i)
    wirings_[i].sources.resize(functions[i].inputs);
}

void Functions::add(const OspConnection& connection) {
  const End& signal = connection.a.is_signal ? connection.a : connection.b;
  const End& variable = connection.a.is_signal ? connection.b : connection.a;
  const auto refuse = [&](const std::string& text) {
    throw Error(ErrorCode::usage, text, system::where(signal.place));
  };
  const auto found = std::ranges::find(functions_, signal.owner, &Function::name);
  if (found == functions_.end())
    refuse(fmt::format("there is no function \"{}\".{}", printable(signal.owner),
                       did_you_mean(signal.owner, names_of(functions_))));
  const bool is_vector = found->kind == Function::Kind::vector_sum;
  if (connection.is_group != is_vector)
    refuse(fmt::format("\"{}\" is a {}: connect its signals with <{}>", found->name,
                       to_string(found->kind),
                       is_vector ? "SignalGroupConnection" : "SignalConnection"));
  Wiring& wiring = wirings_[static_cast<std::size_t>(found - functions_.begin())];
  if (signal.name == "out") {
    wiring.targets.push_back(variables_at(*found, variable));
    return;
  }
  const std::optional<std::size_t> input = input_index(*found, signal.name);
  if (!input)
    refuse(fmt::format("the function \"{}\" has no signal \"{}\"; expected one of: {}{}, out",
                       found->name, printable(signal.name), input_name(*found, 0),
                       found->inputs > 1 ? " to " + input_name(*found, found->inputs - 1) : ""));
  if (!wiring.sources[*input].empty())
    refuse(fmt::format("the signal \"{}\" of the function \"{}\" is connected twice", signal.name,
                       found->name));
  wiring.sources[*input] = variables_at(*found, variable);
}

/// The variables of a group; of a longer one the first, as libcosim does.
Functions::Variables Functions::variables_at(const Function& function, const End& variable) {
  if (function.kind != Function::Kind::vector_sum) {
    models_.index(variable);  // throws for an unknown simulator
    return {variable};
  }
  const VariableGroup& group = models_.group(variable);
  if (group.variables.size() < function.dimension)
    throw Error(ErrorCode::usage,
                fmt::format("the group \"{}\" of \"{}\" has {}, but the function \"{}\" has the "
                            "dimension {}",
                            group.name, variable.owner, counted(group.variables.size(), "variable"),
                            function.name, function.dimension),
                system::where(variable.place, {.component = variable.owner}));
  Variables all(function.dimension, variable);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].name = group.variables[i];
  return all;
}

std::vector<FunctionLinks> Functions::finish(const Log& log, system::Problems& problems) const {
  std::vector<FunctionLinks> all;
  for (std::size_t f = 0; f < functions_.size(); ++f) {
    const Function& function = functions_[f];
    const Wiring& wiring = wirings_[f];
    bool complete = true;
    const auto lack = [&](const std::string& signal) {
      problems.add(function.place, fmt::format("the signal \"{}\" of the function \"{}\" is not "
                                               "connected",
                                               signal, function.name));
      complete = false;
    };
    for (std::size_t i = 0; i < function.inputs; ++i)
      if (wiring.sources[i].empty()) lack(input_name(function, i));
    if (wiring.targets.empty()) lack("out");
    if (!complete) continue;
    if (wiring.targets.size() > 1)
      log.info("", fmt::format("{}\"{}\" drives {}; libcosim uses the first one only",
                               system::at(function.place), function.name,
                               counted(wiring.targets.size(), "input")));
    for (std::size_t j = 0; j < function.dimension; ++j) {
      FunctionLinks& links = all.emplace_back();
      links.name = function.kind == Function::Kind::vector_sum
                       ? fmt::format("{}.{}", function.name, j)
                       : function.name;
      links.kind = function.kind;
      links.factor = function.factor;
      links.offset = function.offset;
      links.place = function.place;
      for (const Variables& source : wiring.sources) links.sources.push_back(source[j]);
      for (const Variables& target : wiring.targets) links.targets.push_back(target[j]);
    }
  }
  return all;
}

}  // namespace tutti::formats::osp
