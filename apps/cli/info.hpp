// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tutti/fmu.hpp>
#include <tutti/result_table.hpp>

#include "console.hpp"

namespace tutti::cli {

struct InfoRequest {
  std::filesystem::path file;  ///< an FMU or results
  bool json = false;
  bool all = false;        ///< every variable; otherwise the first 50
  bool structure = false;  ///< only the dependencies
};

/// `tutti info`: prints what is in an FMU or a result file to standard output.
int info(const InfoRequest& request, const FmuOptions& options, Console& console);

std::string info_text(const std::filesystem::path& fmu, const ModelDescription& description,
                      const FmuContents& contents, bool all);
std::string info_json(const ModelDescription& description, const FmuContents& contents);
std::string results_text(const ResultTable& table, bool all);
std::string results_json(const ResultTable& table);
struct ValueRange {
  double min, max;
};
/// Nothing: there are no finite numbers.
std::optional<ValueRange> range_of(const ResultColumn& column);
/// The dependencies and the figures of the Jacobian.
std::string structure_json(const ModelDescription& description);

}  // namespace tutti::cli
