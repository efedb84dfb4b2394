// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string_view>

namespace tutti::cli {

/// What a file given on the command line is, as far as its name and first bytes show.
enum class FileKind { fmu, system, result, unknown };

/// Refuses a file of another kind than a command takes, and names the command for it.
/// @param command the one that was given, for example "run"
/// @throws Error(usage)
void expect_kind(std::string_view command, FileKind expected, const std::filesystem::path& file);

}  // namespace tutti::cli
