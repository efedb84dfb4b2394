// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/sweep.hpp>
#include <vector>

#include "console.hpp"

namespace tutti::cli {

/// `tutti sweep`, as parsed.
struct SweepCommand {
  std::filesystem::path study;
  SweepOptions options;
  std::string part;  ///< i/n; empty: everything
  std::string plot;  ///< a file, - for the terminal; empty: none
  bool json = false, dry_run = false;
};
/// Exit status 0 also if some runs have failed, 1 if all have.
int sweep(SweepCommand command, Console& console);

/// `tutti merge`, as parsed.
struct MergeCommand {
  std::vector<std::filesystem::path> tables;
  std::filesystem::path output;
  std::string plot;
  bool json = false;
};
int merge(const MergeCommand& command, Console& console);

std::string sweep_json(const SweepReport& report);

}  // namespace tutti::cli
