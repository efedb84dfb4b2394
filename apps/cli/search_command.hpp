// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "estimate.hpp"

/// What `tutti estimate` and `tutti optimize` have in common.
namespace tutti::cli {

/// The study, and every file that the command reads.
struct OpenStudy {
  Study study;
  std::vector<std::filesystem::path> inputs;
};
OpenStudy open_study(const SearchCommand& command, Console& console);

/// Options of the command replace settings.
template <class Settings>
void apply_options(const SearchCommand& command, Settings& settings) {
  if (!command.method.empty()) settings.method = command.method;
  if (command.tolerance) settings.tolerance = *command.tolerance;
  if (command.max_runs) settings.max_runs = *command.max_runs;
  if (command.output == "none")
    settings.results.clear();
  else if (!command.output.empty())
    settings.results = command.output;
}

/// Interruption and the progress line. The console must outlive the command.
void prepare_search(SearchCommand& command, Console& console);

/// Writes the values to run the system with, unless there are none. False if that fails.
bool write_found(const SearchSummary& search, const Study& study, const std::filesystem::path& file,
                 Console& console);

int search_status(const SearchSummary& search, Console& console);

}  // namespace tutti::cli
