// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

/// Candidates for the next word of a command line, for the completion scripts of shells.
namespace tutti::cli {

struct Candidate {
  std::string text;  ///< replaces the begun word; to be continued if it ends with `=`, `.`, `/`
  std::string description;
};
struct Completion {
  std::vector<Candidate> candidates;
  bool are_files = false;
};

/// A command line up to the value to complete.
struct BegunLine {
  std::string command;  ///< "run", "examples run"
  /// By the names of the options in --help: "SYSTEM", "--solver".
  std::multimap<std::string, std::string, std::less<>> values;

  std::string value_of(std::string_view name) const {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  }
};

/// Values of the option or argument of this name that start with `word`; unknown options take
/// files. @throws Error
Completion complete_value(const BegunLine& line, std::string_view option, const std::string& word);

/// `NAME=VALUE` for --set, from the system or the FMU on the line.
Completion complete_assignment(const BegunLine& line, const std::string& word);
/// Continuous inputs and outputs of the FMU or system on the line.
Completion complete_continuous(const BegunLine& line, const std::string& word);
/// The variables of the FMU on the line.
Completion complete_variable(const BegunLine& line, const std::string& word);

/// With the home folder in place of `~` in `~/...`, which shells do not replace here.
std::string with_home(const std::string& file);
void add_if_begun(Completion& to, const std::string& word, std::string text,
                  std::string description = {});
/// Long lists of names with dots: only up to the next dot, where several names continue.
Completion by_segments(Completion all, const std::string& word, std::size_t short_enough);

/// The output of `tutti __complete SHELL WORDS...`: a line `words` or `files`, and a line for each
/// candidate, with its description after a tab. Never throws; loads no FMU.
std::string complete(const CLI::App& app, int argc, const char* const* argv);
inline constexpr std::string_view complete_command = "__complete";

}  // namespace tutti::cli
