// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/simulation.hpp>
#include <vector>

#include "deliver.hpp"

namespace tutti::cli {

/// `tutti simulate`, as parsed.
struct SimulateCommand {
  SimulateOptions run;
  std::vector<std::string> set;             ///< name=value
  std::filesystem::path start_from;         ///< values, applied before `set`; empty: none
  std::filesystem::path variables_file;     ///< one name or pattern per line
  std::string output;                       ///< empty: <model>.csv; "none": nothing
  std::vector<std::string> solver_options;  ///< name=value
  bool plot = false;
  bool json = false;
  bool statistics = false;
  DiagnosisRequest diagnosis;
  /// Names of the given options for model exchange only, or co-simulation only.
  std::vector<std::string> me_options, cs_options;
};

/// Returns the exit status: 0 success, 1 failed after the start of time, 2 rejected, 130
/// interrupted.
int simulate(SimulateCommand command, Console& console);

}  // namespace tutti::cli
