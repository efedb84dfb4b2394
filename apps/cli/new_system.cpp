// SPDX-License-Identifier: BSD-2-Clause
#include "new_system.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <tutti/error.hpp>
#include <tutti/new_system.hpp>

#include "file_kind.hpp"
#include "text_table.hpp"

namespace tutti::cli {
namespace {

namespace fs = std::filesystem;

void check_output(const NewCommand& command) {
  if (command.output.empty()) return;
  const std::string name = command.output.string();
  if (command.output.extension() != ".toml")
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" does not end with .toml, and `tutti new` writes TOML", name),
                {.hint = "Write a .toml file; `tutti convert` converts it to .ssd or .ssp."});
  std::error_code none;
  if (!command.force && fs::exists(command.output, none))
    throw Error(ErrorCode::usage, fmt::format("\"{}\" exists already", name),
                {.hint = "Choose another name, or overwrite it with --force."});
  const fs::path folder = command.output.parent_path();
  if (!folder.empty() && !fs::is_directory(folder, none))
    throw Error(
        ErrorCode::file,
        fmt::format("there is no folder \"{}\" to write \"{}\" into", folder.string(), name),
        {.hint = "Create it first."});
}

std::string arrow(const ProposedConnection& connection) {
  return fmt::format("{}.{} -> {}.{}", connection.from.component, connection.from.variable,
                     connection.to.component, connection.to.variable);
}

/// Asks the user to confirm proposals. Inputs with a source are not asked for again; the end of the
/// input keeps the rest as proposed.
void ask(std::vector<ProposedConnection>& connections) {
  put_text(stderr, "Connect? y: yes, n: no, a: the rest as proposed (capital letter: Enter)\n");
  std::set<std::string> fed;
  for (ProposedConnection& connection : connections) {
    const std::string input = connection.to.component + "." + connection.to.variable;
    if (fed.contains(input)) continue;
    std::string answer;
    while (answer != "y" && answer != "n") {
      put_text(stderr, fmt::format("  {}  ({}) [{}] ", arrow(connection), connection.reason,
                                   connection.is_sure ? "Y/n/a" : "y/N/a"));
      std::fflush(stderr);
      if (!std::getline(std::cin, answer) || answer == "a") return;
      if (answer.empty()) answer = connection.is_sure ? "y" : "n";
      if (answer == "yes" || answer == "no") answer.resize(1);
    }
    connection.is_sure = answer == "y";
    if (connection.is_sure) fed.insert(input);
  }
}

/// The best one for each input.
void take_all(std::vector<ProposedConnection>& connections) {
  std::set<std::string> fed;
  for (ProposedConnection& connection : connections)
    connection.is_sure = fed.insert(connection.to.component + "." + connection.to.variable).second;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    throw Error(ErrorCode::file, fmt::format("cannot write \"{}\"", file.string()),
                {.hint = "Check free space and permissions."});
}

}  // namespace

int new_system(const NewCommand& command, Console& console) {
  for (const fs::path& fmu : command.fmus) expect_kind("new", FileKind::fmu, fmu);
  check_output(command);
  protect_inputs(command.output, command.fmus);
  console.open_log(command.fmus, {command.output});
  const System system =
      tutti::new_system(command.fmus, command.output.parent_path(), command.open, console.log());
  std::vector<ProposedConnection> connections = propose_connections(system, command.open);
  if (command.yes)
    take_all(connections);
  else if (!connections.empty() && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1)
    ask(connections);
  const std::string text = new_system_text(
      system, connections, command.output.empty() ? "system.toml" : command.output, command.open);
  if (command.output.empty()) return put(stdout, text) && std::fflush(stdout) == 0 ? 0 : 1;
  write(command.output, text);
  const auto sure = static_cast<std::size_t>(
      std::count_if(connections.begin(), connections.end(),
                    [](const ProposedConnection& c) { return c.is_sure; }));
  const std::size_t others = connections.size() - sure;
  console.note(fmt::format(
      "\"{}\": {}, {}{}", command.output.string(), counted(system.components.size(), "component"),
      counted(sure, "connection"), others == 0 ? "" : fmt::format(", and {} to check", others)));
  return 0;
}

}  // namespace tutti::cli
