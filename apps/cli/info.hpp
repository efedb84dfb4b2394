// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>

namespace tutti::cli {

struct InfoRequest {
  std::filesystem::path fmu;
  bool json = false;
  bool all = false;        ///< every variable; otherwise the first 50
  bool structure = false;  ///< only the dependencies
};

/// `tutti info`: prints what is in an FMU to standard output.
int info(const InfoRequest& request, const FmuOptions& options, const Log& log);

std::string info_text(const std::filesystem::path& fmu, const ModelDescription& description,
                      const FmuContents& contents, bool all);
std::string info_json(const ModelDescription& description, const FmuContents& contents);
/// The dependencies and the figures of the Jacobian.
std::string structure_json(const ModelDescription& description);

}  // namespace tutti::cli
