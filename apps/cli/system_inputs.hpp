// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <tutti/system.hpp>
#include <vector>

namespace tutti::cli {

/// The files that a command with this system file reads: they must not be overwritten.
std::vector<std::filesystem::path> system_inputs(const std::filesystem::path& file,
                                                 const System& system);

}  // namespace tutti::cli
