// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>

namespace tutti::cli {

/// `tutti info`: prints what is in an FMU to standard output.
/// @param all every variable; otherwise the first 50
int info(const std::filesystem::path& fmu, bool json, bool all, const FmuOptions& options,
         const Log& log);

std::string info_text(const std::filesystem::path& fmu, const ModelDescription& description,
                      const FmuContents& contents, bool all);
std::string info_json(const ModelDescription& description, const FmuContents& contents);

}  // namespace tutti::cli
