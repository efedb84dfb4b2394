// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "console.hpp"
#include "run.hpp"

namespace tutti::cli {

/// `tutti examples`, as parsed.
struct ExamplesCommand {
  enum class Action { list, copy, run, check, verdicts, plots };
  Action action = Action::list;
  std::vector<std::string> names;  ///< check, plots; empty: all
  std::string name;                ///< copy, run
  std::filesystem::path folder;    ///< copy, plots: where to; empty: the name, here; plots
  bool all = false;                ///< check: every figure, not only wrong ones
  RunCommand run;                  ///< the arguments of `tutti run`
};

/// $TUTTI_EXAMPLES, or beside the program: as built, or as installed. @throws Error(file)
std::filesystem::path examples_folder();

/// Returns the exit status: 0 success, 1 a figure or verdict is not as expected, 2 rejected.
int examples(ExamplesCommand command, Console& console);

}  // namespace tutti::cli
