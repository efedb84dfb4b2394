// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <tutti/new_system.hpp>

namespace tutti::formats {

/// A first system file: components and times of the system, and in comments the variables of their
/// FMUs.
std::string new_toml_text(const System& system,
                          std::span<const ModelDescription* const> descriptions,
                          std::span<const ProposedConnection> connections,
                          const std::filesystem::path& file);

}  // namespace tutti::formats
