// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system.hpp>

namespace tutti::system {

/// Calls action(path) for each file that a system names, relative to its folder or absolute.
template <class AnySystem, class Action>
void for_each_file(AnySystem& system, const Action& action) {
  const auto if_named = [&](auto& path) {
    if (!path.empty()) action(path);
  };
  for (auto& component : system.components) {
    if_named(component.fmu);
    if_named(component.built_in.file);
  }
  if_named(system.inputs.file);
  for (auto& table : system.inputs.tables) if_named(table.file);
}

}  // namespace tutti::system
