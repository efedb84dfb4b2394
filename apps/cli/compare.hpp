// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/compare.hpp>
#include <vector>

#include "console.hpp"

namespace tutti::cli {

/// `tutti compare`, as parsed.
struct CompareCommand {
  std::filesystem::path result, reference;
  CompareOptions options;
  std::vector<std::string> map;  ///< as given: A=B
  bool all = false;
  bool json = false;
};

/// Returns the exit status: 0 if the files agree, 1 if not.
int compare(const CompareCommand& command, Console& console);

/// @param all every variable; otherwise the worst 20
std::string comparison_text(const CompareCommand& command, const Comparison& comparison);
std::string comparison_json(const CompareCommand& command, const Comparison& comparison);

}  // namespace tutti::cli
