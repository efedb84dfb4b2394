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

/// Standard error: messages and, on a terminal, a progress bar for runs of more than a second.
class Console {
 public:
  struct Options {
    bool quiet = false;              ///< only errors
    bool verbose = false;            ///< everything, without a limit for FMU messages
    std::filesystem::path log_file;  ///< gets every message, also hidden ones; empty: none
    ColorChoice color =
        ColorChoice::automatic;  ///< of this process, from the construction of a console
  };
  /// The log file is checked, but not changed until open_log().
  explicit Console(const Options& options);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// To be called when all files of the command are known; earlier messages are kept until then.
  /// @throws Error(usage) if the log file is an input or output of the command
  void open_log(const std::vector<std::filesystem::path>& inputs,
                const std::vector<std::filesystem::path>& outputs = {});

  /// For the library. After the first messages of FMUs, further ones are only counted.
  const Log& log() const { return log_; }
  void error(const std::string& text);
  void error(const Error& error) { this->error(message(error)); }
  std::string message(const Error& error) const { return message_of(error, has_system_file); }
  bool has_system_file = true;  ///< the command runs a system: keys have no options
  void note(const std::string& text);
  /// Hidden, like notes, by a quiet console, but in the log file.
  void warning(const std::string& text);
  bool is_quiet() const { return options_.quiet; }
  bool is_verbose() const { return options_.verbose; }
  void progress(double fraction, double time);
  void progress_of_runs(std::uint64_t done, std::uint64_t all);
  /// A line in place of the bar, for what is not one run.
  void status(const std::string& text);
  /// Removes the bar and reports the number of hidden messages.
  void finish();

 private:
  void show(const LogRecord& record);
  void write_log();
  void line(const std::string& text, Severity severity = Severity::info);
  void clear_bar();
  /// Adds a point to run_. False: it is too early for a bar, or there is none.
  bool shows_bar(double fraction, double done);
  void show_bar(const std::string& text);

  Options options_;
  bool is_terminal_;
  bool bar_shown_ = false;
  std::uint64_t fmu_messages_ = 0;
  std::uint64_t hidden_ = 0;
  std::FILE* log_file_ = nullptr;
  bool log_is_open_ = false;  ///< its earlier content is deleted
  std::string unwritten_;     ///< to the log
  Log log_;
  RunSpeed run_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_progress_;  ///< of runs, and of status lines
};

/// Writes the text unchanged; false if that fails (never an exception).
bool put(std::FILE* stream, std::string_view text);

/// The text without terminal control characters: names and messages come from FMUs and files. Line
/// ends and tabs remain, others are shown as \\x1b.
std::string without_controls(std::string_view text, std::string_view escape = "\\x");
/// put() of a text without control characters.
bool put_text(std::FILE* stream, std::string_view text);
/// `tutti: error: text`, in colour on a terminal.
void put_message(Severity severity, std::string_view text);
/// The same for JSON, with its escapes.
bool put_json(std::FILE* stream, std::string_view text);

/// Protects files that the command reads from being overwritten, under any path. @throws
/// Error(usage)
void protect_inputs(const std::filesystem::path& output,
                    const std::vector<std::filesystem::path>& inputs);

/// True after Ctrl-C, SIGTERM, SIGHUP and other signals that would end the program.
const std::atomic<bool>& interrupted();
/// For a command that reads FMUs more than once: each file is read once, until interrupted().
void prepare_opening(FmuOptions& open);
/// True after the second of them. The program exits at the latest 3 s later.
const std::atomic<bool>& killed();
/// During its lifetime, exit() is an error: an FMU in this process has called it.
class RunningCommand {
 public:
  RunningCommand();
  ~RunningCommand();
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;
};
/// Called first: ensures that standard streams exist, and handles signals that would lose results.
void prepare_process();

}  // namespace tutti::cli
