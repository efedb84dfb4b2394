// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

struct ProgramOptions {
  std::filesystem::path folder;             ///< working directory; empty: ours
  double timeout = 0;                       ///< seconds; 0: no limit
  std::size_t most_output = 64 * 1024;      ///< bytes that are kept
  const std::atomic<bool>* stop = nullptr;  ///< polled; true ends the program
};

/// How a program ended.
struct ProgramEnd {
  enum class Kind { exited, killed, timed_out, stopped };
  Kind kind = Kind::exited;
  int status = 0;      ///< exit status, or the signal that killed it
  std::string output;  ///< what it wrote to standard output and standard error, cut
};

/// Runs a program without a shell: arguments are passed unchanged. Its standard input is empty. It
/// has its own process group, which is killed before this returns.
/// @param command path of the program, then its arguments
/// @throws Error(file) if it cannot be started
ProgramEnd run_program(const std::vector<std::string>& command, const ProgramOptions& options);

/// The absolute path of a program: looked for in PATH unless the name has a slash. Empty: not
/// found.
std::filesystem::path find_program(std::string_view name);

}  // namespace tutti
