// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <tutti/fmu.hpp>
#include <vector>

#include "console.hpp"

namespace tutti::cli {

struct NewCommand {
  std::vector<std::filesystem::path> fmus;
  std::filesystem::path output;  ///< empty: standard output
  bool yes = false;              ///< accept every proposal without questions
  bool force = false;            ///< the output may exist
  FmuOptions open;
};

int new_system(const NewCommand& command, Console& console);

}  // namespace tutti::cli
