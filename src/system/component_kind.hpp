// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
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

/// Where a component comes from: a file (Component::fmu), Tutti itself (Component::built_in),
/// the calling program (Component::model), which no system file and no other process can name, or
/// files of several components that are solved together (Component::cluster).
enum class Origin : std::uint8_t { file, built_in, object, cluster };

/// What a component can be: a row of the table in models/component_kinds.cpp.
struct ComponentKind {
  std::string_view name;  ///< for messages: "C++ class"
  std::string_view noun;  ///< in short: "class"
  Origin origin;
  /// Why a component cannot save its state, and what to try; empty: this depends on its FMU.
  std::string_view without_rollback, to_roll_back;
  /// @param description null: not known yet
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
/// The first kind that fits.
const ComponentKind& kind_of(const Component& component,
                             const ModelDescription* description = nullptr);
/// The description of a component. @param folder to which its file path is relative
std::shared_ptr<const ModelDescription> description_of(const Component& component,
                                                       const std::filesystem::path& folder,
                                                       const FmuOptions& options,
                                                       const Log& log = {});
/// The first component that is an object of the calling program; null: none.
const Component* find_object(const System& system);

}  // namespace tutti::system
