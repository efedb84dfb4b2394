// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

#include "fmi/shape.hpp"
#include "system/line_plan.hpp"
#include "system/names.hpp"

namespace tutti::system {

/// 3 in the plane, else 1.
std::size_t direction_count(PortDomain domain);
/// True: both ends measure the flow in a common direction, and the effort is a force.
bool is_mechanical(PortDomain domain);
/// `A.P`
std::string port_name(const Component& component, const Port& port);

/// Resolves the ports of components to scalars, and chooses how their FMUs receive the effort.
class PortResolver {
 public:
  PortResolver(const System& system, std::span<const ModelDescription* const> descriptions,
               std::span<const fmi::StructuralValues> structures, Problems& problems,
               const Log& log)
      : system_(system),
        descriptions_(descriptions),
        structures_(structures),
        problems_(problems),
        log_(log) {}

  /// Nothing: the port has errors, which are added to those of the constructor.
  std::optional<PlannedPort> resolve(std::uint32_t component, std::uint32_t number);

 private:
  const System& system_;
  std::span<const ModelDescription* const> descriptions_;
  std::span<const fmi::StructuralValues> structures_;
  Problems& problems_;
  const Log& log_;
};

/// Fills the roles of a port that are not given, from its terminal.
/// @throws Error(usage) if the FMU has no such terminal
Port with_terminal(const Port& port, const Component& component,
                   const ModelDescription& description);

/// Properties of a port on which the choice of its input method depends.
struct PortAbilities {
  bool has_effort = false, has_wave = false, has_slope = false, has_table = false;
  bool is_model_exchange = false;
  bool follows_inputs = false;  ///< slopes of its efforts or waves inside a step
  bool has_callback = false;    ///< FMI 3.0: effort and flow, or wave, in intermediate update
};
PortInput choose_input(const PortAbilities& abilities, TlmRules rules);
/// Why a method is impossible; empty: it is possible.
std::string why_not(PortInput input, const PortAbilities& abilities);

}  // namespace tutti::system
