// SPDX-License-Identifier: BSD-2-Clause
#include "console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <tutti/error.hpp>

namespace tutti::cli {
namespace {

constexpr std::uint64_t shown_fmu_messages = 50;
constexpr std::size_t shown_characters = 2000;        // of one message
constexpr std::size_t shown_error_characters = 8000;  // names in it come from files

std::atomic<bool> interrupt_flag{false};

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::debug:
      return "debug: ";
    case Severity::warning:
      return "warning: ";
    case Severity::error:
      return "error: ";
    default:
      return "";
  }
}

}  // namespace

Console::Console(const Options& options)
    : options_(options), is_terminal_(::isatty(STDERR_FILENO)) {
  if (!options_.log_file.empty()) {
    log_file_ = std::fopen(options_.log_file.c_str(), "w");
    if (log_file_ == nullptr)
      throw Error(ErrorCode::file, fmt::format("cannot write the log \"{}\": {}",
                                               options_.log_file.string(), std::strerror(errno)));
  }
  const bool all = options_.verbose || log_file_ != nullptr;
  log_ =
      Log([this](const LogRecord& record) { show(record); }, all ? Severity::debug : Severity::info)
          .once();
}

Console::~Console() {
  clear_bar();
  if (log_file_ != nullptr) std::fclose(log_file_);
}

void Console::show(const LogRecord& record) {
  std::string text(word(record.severity));
  if (!record.component.empty()) text += fmt::format("{}: ", record.component);
  if (!record.category.empty()) text += fmt::format("[{}] ", record.category);
  const std::size_t prefix = text.size();
  text += record.text;
  while (text.ends_with('\n')) text.pop_back();
  if (log_file_ != nullptr) put(log_file_, text + "\n");
  if (options_.quiet || (record.severity == Severity::debug && !options_.verbose)) return;

  const bool by_fmu = !record.category.empty();
  if (by_fmu && !options_.verbose && ++fmu_messages_ > shown_fmu_messages) {
    ++hidden_;
    return;
  }
  if (!options_.verbose && text.size() - prefix > shown_characters) {
    text.resize(prefix + shown_characters);
    text += " ...";
  }
  line(text);
}

void Console::error(const std::string& text) {
  const bool all = text.size() <= shown_error_characters;
  line("error: " + (all ? text : text.substr(0, shown_error_characters) + " ..."));
}

void Console::note(const std::string& text) {
  if (!options_.quiet) line(text);
}

void Console::line(const std::string& text) {
  clear_bar();
  put(stderr, fmt::format("tutti: {}\n", text));
}

void Console::progress(double fraction, double time) {
  using namespace std::chrono_literals;
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  if (!is_terminal_ || options_.quiet || elapsed < 1s) return;
  constexpr std::size_t width = 40;
  fraction = std::clamp(fraction, 0.0, 1.0);
  const auto done = static_cast<std::size_t>(std::lround(fraction * width));
  const double seconds = std::chrono::duration<double>(elapsed).count();
  std::string rest;
  if (fraction > 0) rest = fmt::format("{:.0f} s left", seconds * (1 - fraction) / fraction);
  put(stderr, fmt::format("\r\x1b[K[{}{}] {:3.0f} %  t = {:.6g} s  {}", std::string(done, '='),
                          std::string(width - done, ' '), fraction * 100, time, rest));
  std::fflush(stderr);
  bar_shown_ = true;
}

void Console::clear_bar() {
  if (!bar_shown_) return;
  std::fputs("\r\x1b[K", stderr);
  bar_shown_ = false;
}

void Console::finish() {
  clear_bar();
  if (hidden_ > 0)
    note(fmt::format(
        "{} more messages of the FMU are not shown (--verbose or --log-file shows them)", hidden_));
  hidden_ = 0;
}

bool put(std::FILE* stream, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size();
}

void protect_inputs(const std::filesystem::path& output,
                    const std::vector<std::filesystem::path>& inputs) {
  for (const std::filesystem::path& input : inputs) {
    std::error_code none;
    if (!output.empty() && !input.empty() && std::filesystem::equivalent(output, input, none))
      throw Error(ErrorCode::usage,
                  fmt::format("the output would overwrite \"{}\", which is read. Choose another "
                              "file with --output.",
                              input.string()));
  }
}

const std::atomic<bool>& interrupted() { return interrupt_flag; }

void prepare_process() {
  // A file of ours must not get the number of a standard stream that the caller closed.
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", O_RDWR) == -1) std::_Exit(1);
  // `tutti ... | head` must not end a run in the middle: writing then fails, which is looked at.
  ::signal(SIGPIPE, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_flag = true; };
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
  struct sigaction present {};
  ::sigaction(SIGHUP, nullptr, &present);
  if (present.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);  // nohup stays
}

}  // namespace tutti::cli
