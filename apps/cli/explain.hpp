// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/explain.hpp>
#include <vector>

#include "console.hpp"

namespace tutti::cli {

/// `tutti explain`, as parsed.
struct ExplainCommand {
  std::vector<std::string> words;  ///< of one name, "co-simulation FMU"; empty: list all topics
  bool json = false;
};

/// Returns the exit status.
int explain(const ExplainCommand& command, Console& console);

std::string topics_json(const std::vector<Topic>& topics);

}  // namespace tutti::cli
