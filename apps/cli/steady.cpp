// SPDX-License-Identifier: BSD-2-Clause
#include "steady.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <tutti/error.hpp>
#include <tutti/system_file.hpp>

#include "system_inputs.hpp"

namespace tutti::cli {
namespace {

std::pair<std::string, double> split_fix(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (equals == 0 || number.empty() || *end != '\0' || !std::isfinite(value))
    throw Error(
        ErrorCode::usage,
        fmt::format("--fix \"{}\": expected NAME=VALUE, for example --fix tank.h=0.2", text));
  return {text.substr(0, equals), value};
}

System read_model(const SteadyCommand& command, Console& console) {
  const bool is_system = is_system_file(command.model);
  console.has_system_file = is_system;
  System system = is_system ? read_system(command.model, command.options.open, console.log())
                            : system_of(command.model);
  if (!command.start_from.empty())
    assign(system, read_values(command.start_from), command.options.open, console.log());
  std::vector<NamedValue> values;
  for (const std::string& text : command.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::usage, fmt::format("--set \"{}\": expected NAME=VALUE", text),
                  {.key = "set"});
    values.push_back({text.substr(0, equals), text.substr(equals + 1), {}});
  }
  if (!values.empty()) assign(system, values, command.options.open, console.log());
  if (command.start) system.simulation.start = command.start;
  return system;
}

/// Names of results or FMUs are mistakes, which would cost these files.
void check_extension(const std::filesystem::path& output) {
  const std::filesystem::path extension = output.extension();
  if (extension.empty() || extension == ".toml") return;
  throw Error(
      ErrorCode::usage,
      fmt::format("%key% \"{}\": the values are written as .toml", output.string()),
      {.key = "output", .hint = fmt::format("For example: -o {}.toml", output.stem().string())});
}

std::string comment_of(const SteadyCommand& command, const SteadyState& state) {
  return fmt::format(
      "Steady state of {} at t = {} s, found by `tutti steady`.\n"
      "`tutti {} --start-from` sets these values.",
      command.model.filename().string(), state.time,
      is_system_file(command.model) ? "run" : "simulate");
}

}  // namespace

int steady(SteadyCommand command, Console& console) {
  check_extension(command.output);
  for (const std::string& text : command.fix) command.options.fixed.push_back(split_fix(text));
  prepare_opening(command.options.open);
  command.options.stop_request = &interrupted();
  command.options.kill_request = &killed();
  const System system = read_model(command, console);
  std::vector<std::filesystem::path> inputs = system_inputs(command.model, system);
  if (!command.start_from.empty()) inputs.push_back(command.start_from);
  if (!command.output.empty()) protect_inputs(command.output, inputs);
  console.open_log(inputs, {command.output});
  const SteadyState state = find_steady(system, command.options, console.log());
  console.finish();
  const bool written =
      command.json ? put_json(stdout, steady_json(state)) : put_text(stdout, steady_text(state));
  if (state.found && !command.output.empty()) {
    write_values(command.output, state.values, comment_of(command, state));
    console.note(fmt::format("values in \"{}\"", command.output.string()));
  } else if (!command.output.empty()) {
    console.warning(fmt::format("\"{}\" is not written", command.output.string()));
  }
  return written && std::fflush(stdout) == 0 && state.found ? 0 : 1;
}

}  // namespace tutti::cli
