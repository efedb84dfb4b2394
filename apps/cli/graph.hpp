// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tutti/fmu.hpp>
#include <vector>

#include "console.hpp"

namespace tutti::cli {

enum class GraphFormat { text, dot, svg, json };

struct GraphCommand {
  std::filesystem::path system;
  std::vector<std::string> set;       ///< NAME=VALUE
  std::optional<GraphFormat> format;  ///< nothing: by the extension of the output
  bool variables = false;  ///< the coupled variables at initialization instead of the components
  std::filesystem::path output;  ///< empty: standard output
  FmuOptions open;
};

int graph(const GraphCommand& command, Console& console);

}  // namespace tutti::cli
