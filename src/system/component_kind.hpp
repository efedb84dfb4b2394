// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>

#include "base/explanation.hpp"

namespace tutti::models {
class Instance;
struct InstanceTask;
}  // namespace tutti::models

namespace tutti::system {

/// What a component can be: a row of the table in models/component_kinds.cpp.
struct ComponentKind {
  std::string_view name;  ///< for messages: "C++ class"
  std::string_view noun;  ///< in short: "class"
  /// It is a file (Component::fmu); false: an object of the calling program, which no file and no
  /// other process can name.
  bool is_file;
  /// Why one cannot save its state, and what to do about it; empty: its FMU says so.
  std::string_view without_rollback, to_roll_back;
  /// @param description null: it is not known yet
  bool (*fits)(const Component& component, const ModelDescription* description);
  /// @throws Error without the name of the component
  std::shared_ptr<const ModelDescription> (*describe)(const Component& component,
                                                      const std::filesystem::path& file,
                                                      const FmuOptions& options, const Log& log);
  std::unique_ptr<models::Instance> (*make)(const models::InstanceTask& task);
  std::string_view summary = {};  ///< one line
  Explanation about = {};
};

std::span<const ComponentKind> component_kinds();
/// The first of them that fits.
const ComponentKind& kind_of(const Component& component,
                             const ModelDescription* description = nullptr);
/// The first component that is no file; null: all are.
const Component* find_object(const System& system);

}  // namespace tutti::system
