// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <vector>

#include "error_text.hpp"
#include "paint.hpp"
#include "progress.hpp"

namespace tutti::cli {

/// Standard error: messages and, on a terminal, a progress bar for runs of over a second.
class Console {
 public:
  struct Options {
    bool quiet = false;              ///< only errors
    bool verbose = false;            ///< everything, FMU messages without limit
    std::filesystem::path log_file;  ///< gets every message, also those not shown; empty: none
    ColorChoice color = ColorChoice::automatic;  ///< of this process, once there is a console
  };
  /// The log file is checked, but left alone until open_log().
  explicit Console(const Options& options);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// To be called once all files that the command reads are known; messages that come before wait.
  /// @throws Error(usage) if the log file is one of them, or one of those that it writes
  void open_log(const std::vector<std::filesystem::path>& inputs,
                const std::vector<std::filesystem::path>& outputs = {});

  /// For the library. FMUs that talk much are shown at first and then counted.
  const Log& log() const { return log_; }
  void error(const std::string& text);
  void error(const Error& error) { this->error(message(error)); }
  std::string message(const Error& error) const { return message_of(error, has_system_file); }
  bool has_system_file = true;  ///< the command runs a system: keys of its file have no options
  void note(const std::string& text);
  /// Not shown, like notes, by a quiet console; but in the log file.
  void warning(const std::string& text);
  bool is_quiet() const { return options_.quiet; }
  bool is_verbose() const { return options_.verbose; }
  void progress(double fraction, double time);
  /// Removes the bar and reports how much was not shown.
  void finish();

 private:
  void show(const LogRecord& record);
  void write_log();
  void line(const std::string& text, Severity severity = Severity::info);
  void clear_bar();

  Options options_;
  bool is_terminal_;
  bool bar_shown_ = false;
  std::uint64_t fmu_messages_ = 0;
  std::uint64_t hidden_ = 0;
  std::FILE* log_file_ = nullptr;
  bool log_is_open_ = false;  ///< its earlier contents are gone
  std::string unwritten_;     ///< to the log
  Log log_;
  RunSpeed run_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Writes as it is; false if the stream does not take it (never an exception).
bool put(std::FILE* stream, std::string_view text);

/// The text without control characters, which could steer a terminal: names and messages come out
/// of FMUs and files. Line ends and tabs stay, others are shown as \\x1b.
std::string without_controls(std::string_view text, std::string_view escape = "\\x");
/// put() of a text without control characters.
bool put_text(std::FILE* stream, std::string_view text);
/// `tutti: error: text`, in colour on a terminal.
void put_message(Severity severity, std::string_view text);
/// The same for JSON, whose strings have escapes of their own.
bool put_json(std::FILE* stream, std::string_view text);

/// Refuses to write over a file that the command reads, whatever it is called there. @throws
/// Error(usage)
void protect_inputs(const std::filesystem::path& output,
                    const std::vector<std::filesystem::path>& inputs);

/// Turns true at Ctrl-C, SIGTERM, SIGHUP and other signals that would end the program.
const std::atomic<bool>& interrupted();
/// For a command that looks into FMUs more than once: each file is read once, until interrupted().
void prepare_opening(FmuOptions& open);
/// Turns true at the second of them. If the program has not ended 3 s later, it ends at once.
const std::atomic<bool>& killed();
/// While there is one, exit() is a fault: an FMU in this process has called it.
class RunningCommand {
 public:
  RunningCommand();
  ~RunningCommand();
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;
};
/// Once, first of all: standard streams exist, signals that would lose results are noticed.
void prepare_process();

}  // namespace tutti::cli
