// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <tutti/study.hpp>
#include <tutti/system.hpp>
#include <vector>

namespace tutti::cli {

/// The files that a command with this system file reads: they must not be overwritten.
std::vector<std::filesystem::path> system_inputs(const std::filesystem::path& file,
                                                 const System& system);

/// The files that a command with this study reads. @throws Error if the system cannot be read
std::vector<std::filesystem::path> study_inputs(const Study& study, const FmuOptions& open);

/// Rejects outputs that would overwrite an input, or each other; empty ones: none.
/// @throws Error(usage)
void protect_files(const std::vector<std::filesystem::path>& outputs,
                   std::vector<std::filesystem::path> inputs);

}  // namespace tutti::cli
