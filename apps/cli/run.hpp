// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tutti/system_run.hpp>
#include <vector>

#include "deliver.hpp"

namespace tutti::cli {

/// `tutti run`, as parsed.
struct RunCommand {
  std::filesystem::path system;
  SystemRunOptions options;
  std::vector<std::string> set;             ///< key=value
  std::filesystem::path start_from;         ///< values, applied before `set`; empty: none
  std::optional<double> start, stop, step;  ///< instead of the system's
  std::string output;  ///< empty: the system's, or <system>.csv; "none": nothing
  std::filesystem::path checkpoint, resume;  ///< files; empty: none
  std::optional<double> every;               ///< s between checkpoints
  bool plot = false, json = false, gnuplot = false, statistics = false;
  DiagnosisRequest diagnosis;
};

/// Returns the exit status, like deliver().
int run(RunCommand command, Console& console);

}  // namespace tutti::cli
