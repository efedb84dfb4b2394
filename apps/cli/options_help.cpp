// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <tutti/error.hpp>

#include "options.hpp"

namespace tutti::cli {

void add_help(CommandLine& line) {
  auto* const help =
      line.app.add_subcommand("help", "List the commands, or print the help of a COMMAND");
  const auto name = std::make_shared<std::string>();
  help->add_option("COMMAND", *name, "Name of a command, for example run");
  help->callback([&line, name] {
    line.chosen = [&app = line.app, name](Console&) {
      for (const CLI::App* const command : app.get_subcommands({}))
        if (command->get_name() == *name) {
          put(stdout, command->help("tutti " + *name));
          return 0;
        }
      if (!name->empty())
        throw Error(ErrorCode::usage, fmt::format("there is no command \"{}\"; run `tutti help` "
                                                  "for a list",
                                                  *name));
      // App::help() would print the help of the present command: this one.
      put(stdout, app.get_formatter()->make_help(&app, "tutti", CLI::AppFormatMode::Normal));
      return 0;
    };
  });
}

}  // namespace tutti::cli
