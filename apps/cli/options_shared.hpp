// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tutti/fmu.hpp>
#include <vector>

#include "options.hpp"
#include "run.hpp"

/// Options of several commands.
namespace tutti::cli {

/// Adds a command whose options are kept in a Command until it runs.
template <typename Command>
CLI::App& add_command(CommandLine& line, const std::string& name, const std::string& text,
                      void (*add_options)(CLI::App&, Command&),
                      int (*perform)(const CLI::App&, Command&, Console&)) {
  CLI::App& app = *line.app.add_subcommand(name, text);
  const auto command = std::make_shared<Command>();
  add_options(app, *command);
  app.callback([&app, &chosen = line.chosen, command, perform] {
    chosen = [&app, command, perform](Console& console) { return perform(app, *command, console); };
  });
  return app;
}

template <typename T>
void optional_number(CLI::App& app, const std::string& name, std::optional<T>& value,
                     const std::string& text) {
  app.add_option(name, value, text);
}

/// An option that takes one of several words.
template <typename Enum, typename Value>
void add_choice(CLI::App& app, const std::string& name, Value& value, const std::string& text,
                const std::map<std::string, Enum>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : choices) words.push_back(word);
  app.add_option_function<std::string>(
         name, [&value, choices](const std::string& word) { value = choices.at(word); }, text)
      ->check(CLI::IsMember(words));
}

/// Checks of numbers.
const CLI::Validator& number_from_zero();
const CLI::Validator& positive_number();

void add_archive_options(CLI::App& app, ArchiveLimits& limits);
/// `--structure`, the description of a package.
void add_structure_option(CLI::App& app, FmuOptions& open);
void add_compile_options(CLI::App& app, CompileOptions& compile);
/// For commands that run a system.
void add_system_run_options(CLI::App& app, RunCommand& command);
/// `--diagnose [FILE]`. A following word that is not a picture is the argument `positional`.
void add_diagnose_option(CLI::App& app, DiagnosisRequest& diagnosis, const std::string& positional);
void add_console_options(CLI::App& app, Console::Options& console);
/// `--color` only, for commands without messages.
void add_color_option(CLI::App& app, Console::Options& console);
/// `--statistics`, for commands that run something.
void add_statistics_option(CLI::App& app, bool& statistics);
/// `--monolithic`: as `--set simulation.monolithic=true`. To be added after add_assignments(),
/// whose option replaces the list when it is evaluated.
void add_monolithic(CLI::App& app, std::vector<std::string>& set);
/// `--start-from FILE`, values that come before those of --set.
void add_start_from(CLI::App& app, std::filesystem::path& file);
/// `--set NAME=VALUE`, any number of times.
void add_assignments(CLI::App& app, std::vector<std::string>& set, const std::string& text);

}  // namespace tutti::cli
