// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tutti/estimate.hpp>

#include "console.hpp"

namespace tutti::cli {

/// `tutti estimate` and `tutti optimize`, as parsed.
struct SearchCommand {
  std::filesystem::path study;
  SearchControl control;
  std::string method;  ///< these replace settings of the study
  std::optional<double> tolerance;
  std::optional<std::uint64_t> max_runs;
  std::string output;             ///< empty: that of the study; "none": nothing
  std::filesystem::path picture;  ///< of measured and simulated signals; empty: none
  bool json = false;
};

/// Both return the exit status: 0 converged, or a global method at its limit; 1 failed, or not
/// converged; 130 interrupted. What is refused before the first run is thrown.
int estimate(SearchCommand command, Console& console);
int optimize(SearchCommand command, Console& console);

std::string estimate_json(const EstimateReport& report);
std::string optimize_json(const OptimizeReport& report);

}  // namespace tutti::cli
