// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <tutti/advice.hpp>
#include <vector>

#include "console.hpp"

namespace tutti::cli {

struct AdviseCommand {
  std::filesystem::path system;
  std::vector<std::string> set;  ///< NAME=VALUE
  bool json = false;
  std::filesystem::path picture;  ///< "-": in the terminal; empty: none
  AdviseOptions options;
};

int advise(AdviseCommand command, Console& console);

}  // namespace tutti::cli
