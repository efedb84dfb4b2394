// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <tutti/log.hpp>
#include <vector>

namespace tutti::cli {

/// Standard error: messages and, on a terminal, a progress bar for runs of over a second.
class Console {
 public:
  struct Options {
    bool quiet = false;              ///< only errors
    bool verbose = false;            ///< everything, FMU messages without limit
    std::filesystem::path log_file;  ///< gets every message, also those not shown; empty: none
  };
  explicit Console(const Options& options);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// For the library. FMUs that talk much are shown at first and then counted.
  const Log& log() const { return log_; }
  void error(const std::string& text);
  void note(const std::string& text);
  bool is_quiet() const { return options_.quiet; }
  void progress(double fraction, double time);
  /// Removes the bar and tells how much was not shown.
  void finish();

 private:
  void show(const LogRecord& record);
  void line(const std::string& text);
  void clear_bar();

  Options options_;
  bool is_terminal_;
  bool bar_shown_ = false;
  std::uint64_t fmu_messages_ = 0;
  std::uint64_t hidden_ = 0;
  std::FILE* log_file_ = nullptr;
  Log log_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Writes as it is; false if the stream does not take it (never an exception).
bool put(std::FILE* stream, std::string_view text);

/// Refuses to write over a file that the command reads. @throws Error(usage)
void protect_inputs(const std::filesystem::path& output,
                    const std::vector<std::filesystem::path>& inputs);

/// Turns true at Ctrl-C, SIGTERM or SIGHUP.
const std::atomic<bool>& interrupted();
/// Once, first of all: standard streams exist, a closed pipe does not kill, interrupts are noticed.
void prepare_process();

}  // namespace tutti::cli
