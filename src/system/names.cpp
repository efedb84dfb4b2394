// SPDX-License-Identifier: BSD-2-Clause
#include "system/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "system/cluster.hpp"

namespace tutti {

bool System::has_varying_inputs() const {
  return !simulation.inputs.are_constant() ||
         std::ranges::any_of(connections, [&](const Connection& connection) {
           return !connection.inputs.over(simulation.inputs).are_constant();
         });
}

std::string System::qualified(std::size_t component, std::string_view variable) const {
  // The variables of a cluster have the names of its members.
  return is_single_fmu || components[component].cluster != nullptr
             ? std::string(variable)
             : fmt::format("{}.{}", components[component].name, variable);
}

std::int32_t System::find(std::string_view component) const {
  const auto found = std::ranges::find(components, component, &Component::name);
  return found == components.end() ? -1 : static_cast<std::int32_t>(found - components.begin());
}

namespace system {

std::string text_of(const Endpoint& end) {
  if (!end.variable.empty()) return fmt::format("{}.{}", end.component, end.variable);
  return end.component.find('.') == std::string::npos ? end.component : end.component + ".*";
}

std::string text_of(const Connection& connection) {
  return fmt::format("{} -> {}", text_of(connection.from), text_of(connection.to));
}

ComponentNames::ComponentNames(const System& system)
    : lone_(system.is_single_fmu ? std::string_view(system.components.front().name) : "") {
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    const Component& component = system.components[i];
    index_.emplace(component.name, Known{static_cast<std::int32_t>(i), component.name, false,
                                         component.cluster != nullptr});
    if (component.cluster == nullptr) continue;
    for (const Component& member : component.cluster->system.components)
      index_.emplace(member.name, Known{static_cast<std::int32_t>(i), component.name, true});
  }
}

std::string ComponentNames::text(const Endpoint& end) const {
  const auto found = index_.find(end.component);
  const bool is_cluster = found != index_.end() && found->second.is_cluster;
  return is_cluster && !end.variable.empty() ? end.variable : text_of(end);
}

std::string ComponentNames::text(const Connection& connection) const {
  return fmt::format("{} -> {}", text(connection.from), text(connection.to));
}

std::int32_t ComponentNames::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? -1 : found->second.index;
}

Endpoint ComponentNames::split(std::string_view text) const {
  for (std::size_t dot = text.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = text.rfind('.', dot - 1))
    if (const auto found = index_.find(text.substr(0, dot)); found != index_.end())
      // To a cluster, "member.variable" is the name of a variable.
      return {std::string(found->second.component),
              std::string(found->second.is_member ? text : text.substr(dot + 1))};
  return {};
}

Endpoint ComponentNames::resolve(std::string_view text) const {
  text = trim(text);
  if (!lone_.empty()) return {std::string(lone_), std::string(text)};
  Endpoint endpoint = split(text);
  if (endpoint.component.empty()) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos)
      throw Error(ErrorCode::usage,
                  fmt::format("\"{}\" is not of the form component.variable", printable(text)));
    throw unknown(text.substr(0, dot));
  }
  if (endpoint.variable.empty())
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" does not name a variable of the component", printable(text)),
                {.component = endpoint.component});
  return endpoint;
}

Endpoint ComponentNames::resolve_end(std::string_view text) const {
  text = trim(text);
  if (!lone_.empty() || text.empty() || !split(text).component.empty()) return resolve(text);
  if (find(text) >= 0) return {std::string(text), ""};
  if (text.find('.') == std::string_view::npos) throw unknown(text);
  return resolve(text);
}

Error ComponentNames::unknown(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const auto& [known, index] : index_) names.push_back(known);
  std::ranges::sort(names);
  return {ErrorCode::usage,
          fmt::format("there is no component \"{}\".", printable(name)),
          {.component = std::string(name), .hint = did_you_mean(name, names)}};
}

}  // namespace system
}  // namespace tutti
