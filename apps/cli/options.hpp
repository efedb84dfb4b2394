// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "console.hpp"

namespace CLI {
class App;
}

/// The command line: each command declares its options in its own function, so that only the files
/// options_*.cpp and main.cpp use the parser library.
namespace tutti::cli {

/// The action of the chosen command; returns the exit status.
using Action = std::function<int(Console&)>;

/// The registry of commands.
struct CommandLine {
  CLI::App& app;
  Console::Options& console;
  Action& chosen;  ///< set by the chosen command after parsing
};

void add_info(CommandLine& line);
void add_check(CommandLine& line);
void add_simulate(CommandLine& line);
void add_compare(CommandLine& line);
void add_plot(CommandLine& line);
void add_new(CommandLine& line);
void add_run(CommandLine& line);
void add_graph(CommandLine& line);
void add_advise(CommandLine& line);
void add_estimate(CommandLine& line);
void add_optimize(CommandLine& line);
void add_steady(CommandLine& line);
void add_linearize(CommandLine& line);
void add_convert(CommandLine& line);
void add_sweep(CommandLine& line);
void add_merge(CommandLine& line);
void add_examples(CommandLine& line);
void add_solvers(CommandLine& line);
void add_explain(CommandLine& line);
void add_completion(CommandLine& line);
void add_help(CommandLine& line);

}  // namespace tutti::cli
