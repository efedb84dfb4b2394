// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/fmu.hpp>
#include <vector>

#include "console.hpp"

namespace tutti::cli {

struct ConvertCommand {
  std::filesystem::path input, output;
  bool compress = false;         ///< results
  std::string format;            ///< of a system; empty: that of the output's extension
  std::vector<std::string> set;  ///< NAME=VALUE
  FmuOptions open;
};

/// Systems and results, each to another format.
int convert(const ConvertCommand& command, Console& console);

}  // namespace tutti::cli
