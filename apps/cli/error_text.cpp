// SPDX-License-Identifier: BSD-2-Clause
#include "error_text.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tutti::cli {
namespace {

struct KeyOption {
  std::string_view key, option;
};

/// The options of `tutti simulate` for keys of system files.
constexpr KeyOption options_of_simulate[] = {
    {"inputs.file", "--input"},
    {"results.interval", "--interval"},
    {"results.variables", "--variables"},
    {"simulation.start", "--start"},
    {"simulation.step", "--step"},
    {"simulation.stop", "--stop"},
    {"solver.atol", "--atol"},
    {"solver.first-step", "--first-step"},
    {"solver.max-step", "--max-step"},
    {"solver.name", "--solver"},
    {"solver.rtol", "--rtol"},
};

}  // namespace

std::string option_of(const ErrorDetails& details, bool has_system_file) {
  std::string_view key = details.key;
  // Options that system files do not have.
  if (key.find('.') == key.npos) return "--" + details.key;
  if (has_system_file) return details.key;
  const std::string component = "components." + details.component + ".";
  if (key.starts_with(component)) key.remove_prefix(component.size());
  constexpr std::string_view solver_options = "solver.options.";
  if (key.starts_with(solver_options))
    return "--solver-option " + std::string(key.substr(solver_options.size()));
  const auto* const found =
      std::find_if(std::begin(options_of_simulate), std::end(options_of_simulate),
                   [&](const KeyOption& row) { return row.key == key; });
  return found == std::end(options_of_simulate) ? details.key : std::string(found->option);
}

std::string message_of(const Error& error, bool has_system_file) {
  return error.message(
      [&](const ErrorDetails& details) { return option_of(details, has_system_file); });
}

}  // namespace tutti::cli
