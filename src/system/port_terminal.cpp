// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <tutti/error.hpp>

#include "base/text.hpp"
#include "system/endpoint.hpp"
#include "system/ports.hpp"

namespace tutti::system {
namespace {

/// Names of terminals inside others are joined by dots.
const Terminal* find_terminal(const std::vector<Terminal>& terminals, std::string_view name) {
  for (const Terminal& terminal : terminals) {
    if (terminal.name == name) return &terminal;
    if (name.starts_with(terminal.name) && name.substr(terminal.name.size()).starts_with('.'))
      if (const Terminal* inner =
              find_terminal(terminal.terminals, name.substr(terminal.name.size() + 1)))
        return inner;
  }
  return nullptr;
}

/// FMI 3.0, 2.4.9.2: inflow counts into the FMU, outflow out of it.
bool is_flow(const TerminalMember& member) {
  return member.kind == "inflow" || member.kind == "outflow";
}

class TerminalRoles {
 public:
  TerminalRoles(const Terminal& terminal, const ModelDescription& description)
      : terminal_(terminal), description_(description) {}

  std::vector<const TerminalMember*> members(Causality causality, bool flows) const {
    std::vector<const TerminalMember*> found;
    for (const TerminalMember& member : terminal_.members) {
      const Variable* variable = description_.find(member.variable);
      if (variable == nullptr || variable->causality != causality || is_stream(member)) continue;
      if (is_flow(member) == flows) found.push_back(&member);
    }
    return found;
  }
  std::vector<CarriedQuantity> streams() const {
    std::vector<CarriedQuantity> all;
    std::string in;
    for (const TerminalMember& member : terminal_.members)  // the reader keeps them in pairs
      if (member.kind == "inStream")
        in = member.variable;
      else if (member.kind == "outStream")
        all.push_back({member.variable, in});
    return all;
  }

 private:
  static bool is_stream(const TerminalMember& member) {
    return member.kind == "inStream" || member.kind == "outStream";
  }
  const Terminal& terminal_;
  const ModelDescription& description_;
};

void take_names(const std::vector<const TerminalMember*>& members, std::vector<std::string>& to) {
  for (const TerminalMember* member : members) to.push_back(member->variable);
}

}  // namespace

Port with_terminal(const Port& port, const Component& component,
                   const ModelDescription& description) {
  Port full = port;
  if (port.terminal.empty()) return full;
  const Terminal* terminal = find_terminal(description.terminals, port.terminal);
  if (terminal == nullptr) {
    std::vector<std::string_view> known;
    for (const Terminal& each : description.terminals) known.push_back(each.name);
    throw Error(
        ErrorCode::usage,
        fmt::format("{} has no terminal \"{}\".", called(component), printable(port.terminal)),
        {.hint = known.empty() ? "It has no terminals: name effort and flow."
                               : did_you_mean(port.terminal, known)});
  }
  const TerminalRoles roles(*terminal, description);
  if (full.flow.empty()) {
    auto flows = roles.members(Causality::output, true);
    if (!flows.empty() && flows.front()->kind == "inflow") full.flow_sign = -full.flow_sign;
    // Velocities of mechanics are signals: its flows are forces.
    if (flows.empty()) flows = roles.members(Causality::output, false);
    take_names(flows, full.flow);
  }
  const bool has_wave = !full.wave.value.empty() || !full.wave.table.empty();
  if (full.effort.empty() && !has_wave) {
    auto efforts = roles.members(Causality::input, false);
    if (efforts.empty()) {
      efforts = roles.members(Causality::input, true);
      if (!efforts.empty() && efforts.front()->kind == "outflow") full.sign = -full.sign;
    }
    take_names(efforts, full.effort);
  }
  if (full.carry.empty() && full.domain == PortDomain::thermofluid) full.carry = roles.streams();
  return full;
}

}  // namespace tutti::system
