// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <tutti/results.hpp>
#include <tutti/simulation.hpp>

#include "console.hpp"

namespace tutti::cli {

/// `--diagnose`, as parsed.
struct DiagnosisRequest {
  bool wanted = false;
  std::filesystem::path picture;  ///< empty: none
};

/// A run whose results go to a file, to the screen, or both.
struct Delivery {
  std::filesystem::path file;                 ///< empty: none
  std::filesystem::path ports;                ///< recorded variables of ports; empty: none
  ResultOptions results;                      ///< of the file
  std::vector<std::filesystem::path> inputs;  ///< of the run: never overwritten
  bool plot = false, json = false;
  bool statistics = false;  ///< with the summary; also with a verbose console
  bool gnuplot = false;     ///< a script beside the file that plots it
  DiagnosisRequest diagnosis;
  std::function<RunReport(Observer* sink)> run;
  std::function<std::string(const RunReport&)> json_text;
  /// Beside a file of results.
  std::function<void(const std::filesystem::path&, const RunReport&)> write_metadata;
};

/// Runs, shows progress, and reports how the run ended. Sets progress and interruption in
/// `control`, the options of the run.
/// Returns the exit status: 0 success, 1 failed after the start of time, 2 rejected, 130
/// interrupted.
int deliver(const Delivery& delivery, RunControl& control, Console& console);

}  // namespace tutti::cli
