// SPDX-License-Identifier: BSD-2-Clause
#include "examples.hpp"
#include "options_shared.hpp"

namespace tutti::cli {
namespace {

void add_examples_options(CLI::App& app, ExamplesCommand& command) {
  using What = ExamplesCommand::Action;
  const auto add = [&](const char* name, const char* text, What what) {
    CLI::App& one = *app.add_subcommand(name, text);
    one.callback([&command, what] { command.action = what; });
    one.fallthrough();  // other options are those of the console
    return &one;
  };
  app.require_subcommand(1);
  add("list", "List the examples and what they show", What::list);
  CLI::App& copy = *add("copy", "Copy an example, to change it", What::copy);
  copy.add_option("NAME", command.name, "Name of the example")->required();
  copy.add_option("FOLDER", command.folder, "Target folder [NAME]");
  CLI::App& run = *add("run", "Run an example; results go to NAME.csv", What::run);
  run.add_option("NAME", command.name, "Name of the example")->required();
  add_system_run_options(run, command.run);
  CLI::App& check =
      *add("check", "Compare runs with the expected figures; exit status 1 if one is wrong",
           What::check);
  check.add_option("NAME", command.names, "Names of examples [all]");
  check.add_flag("--all", command.all, "Show every figure, not only wrong ones");
  add("verdicts", "Rate the EAS master's examples as its authors did, beside their table",
      What::verdicts);
  CLI::App& plots = *add("plots", "Reproduce the figures of the publications as SVG", What::plots);
  plots.add_option("FOLDER", command.folder, "Target folder [plots]");
  plots
      .add_option("--example", command.names,
                  "Draw only the figures of this example; may be repeated")
      ->allow_extra_args(false);
}

int perform_examples(const CLI::App&, ExamplesCommand& command, Console& console) {
  return examples(std::move(command), console);
}

}  // namespace

void add_examples(CommandLine& line) {
  CLI::App& app = add_command(
      line, "examples", "Use the library of examples: list, copy, run, check, verdicts, plots",
      add_examples_options, perform_examples);
  add_console_options(app, line.console);
}

}  // namespace tutti::cli
