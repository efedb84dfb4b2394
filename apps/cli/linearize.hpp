// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tutti/linearize.hpp>
#include <vector>

#include "console.hpp"

namespace tutti::cli {

struct LinearizeCommand {
  std::filesystem::path model;   ///< an FMU or a system file
  std::vector<std::string> set;  ///< NAME=VALUE
  std::filesystem::path start_from;
  std::optional<double> start, stop, step;
  FmuKind kind = FmuKind::automatic;  ///< of an FMU: model exchange if it has that
  bool json = false;
  std::filesystem::path output;   ///< .json, .csv or .mat; empty: none
  std::filesystem::path picture;  ///< Bode plot; "-": in the terminal; empty: none
  std::string frequencies;        ///< MIN:MAX in Hz; empty: around the poles
  LinearizeOptions options;
};

int linearize(LinearizeCommand command, Console& console);

}  // namespace tutti::cli
