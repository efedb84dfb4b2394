// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>
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
  std::filesystem::path ports;                ///< what is recorded of ports of lines; empty: none
  std::vector<std::filesystem::path> inputs;  ///< what the run reads: never written to
  bool plot = false, json = false;
  bool statistics = false;  ///< with the summary; also if the console is verbose
  bool gnuplot = false;     ///< a script beside the file that draws it
  DiagnosisRequest diagnosis;
  std::function<RunReport(Observer* sink)> run;
  std::function<std::string(const RunReport&)> json_text;
  std::function<void(const RunReport&)> write_metadata;  ///< beside the file
};

/// Runs, shows progress, and says how it ended. `control` is what the run is given; progress and
/// interruption are set in it.
/// Answers the exit status: 0 fine, 1 failed after time started, 2 refused, 130 interrupted.
int deliver(const Delivery& delivery, RunControl& control, Console& console);

}  // namespace tutti::cli
