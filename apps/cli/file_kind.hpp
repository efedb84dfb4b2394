// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string_view>

namespace tutti::cli {

/// The kind of a file on the command line, by its name and first bytes.
enum class FileKind { fmu, system, result, unknown };

FileKind kind_of(const std::filesystem::path& file);

/// Rejects a file of another kind than a command takes, and names the command for it.
/// @param command for example "run"
/// @throws Error(usage)
void expect_kind(std::string_view command, FileKind expected, const std::filesystem::path& file);

}  // namespace tutti::cli
