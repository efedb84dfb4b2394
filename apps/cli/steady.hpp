// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tutti/steady.hpp>
#include <vector>

#include "console.hpp"

namespace tutti::cli {

struct SteadyCommand {
  std::filesystem::path model;        ///< a system file or an FMU
  std::filesystem::path start_from;   ///< empty: none
  std::vector<std::string> set, fix;  ///< NAME=VALUE
  std::optional<double> start;
  std::filesystem::path output;  ///< empty: none
  bool json = false;
  SteadyOptions options;
};

/// Returns 1 if there is no steady state.
int steady(SteadyCommand command, Console& console);

}  // namespace tutti::cli
