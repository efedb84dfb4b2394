// SPDX-License-Identifier: BSD-2-Clause
#include "console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <tutti/error.hpp>

namespace tutti::cli {
namespace {

constexpr std::uint64_t shown_fmu_messages = 50;
constexpr std::size_t shown_characters = 2000;        // of one message
constexpr std::size_t shown_error_characters = 8000;  // names in it come from files

std::atomic<bool> interrupt_flag{false}, kill_flag{false};
std::atomic<pid_t> running_process{0};        // with a command
std::atomic<std::int64_t> interrupt_time{0};  // nanoseconds

/// Whether `file` is part of an unpacked folder: of an FMU, which contains all files there, or of
/// an SSP, which may have other files beside it.
bool is_part_of(const std::filesystem::path& file, const std::filesystem::path& input) {
  namespace fs = std::filesystem;
  std::error_code none;
  const bool is_folder = fs::is_directory(input, none);
  if (!is_folder && input.extension() != ".ssd") return false;
  const fs::path folder = fs::weakly_canonical(is_folder ? input : input.parent_path() / ".", none);
  const fs::path relative = fs::weakly_canonical(file, none).lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..") return false;
  if (fs::exists(folder / "modelDescription.xml", none)) return is_folder;
  if (!fs::exists(file, none)) return false;
  constexpr std::string_view kinds[] = {".ssd", ".ssv", ".ssm", ".ssb", ".ssp", ".fmu"};
  const std::string kind = file.extension().string();
  return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
}

std::int64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

/// The first requests the end of the run, the second ends it, the third (or the alarm after the
/// second) ends the program. timeout(1) sends its signal to the process and to its group: counted
/// as one.
void take_signal(int) {
  constexpr std::int64_t echo = 100'000'000;
  constexpr unsigned patience = 3;  // seconds
  const int kept = errno;
  const std::int64_t time = now();
  if (!interrupt_flag.exchange(true)) {
    interrupt_time = time;
  } else if (time - interrupt_time.load() > echo) {
    interrupt_time = time;
    if (kill_flag.exchange(true)) ::_exit(130);
    ::alarm(patience);
  }
  errno = kept;
}

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

std::size_t bar_width() { return std::max<std::size_t>(terminal_width(stderr), 2) - 1; }

}  // namespace

Console::Console(const Options& options)
    : options_(options), is_terminal_(::isatty(STDERR_FILENO)) {
  choose_color(options_.color);
  const bool all = options_.verbose || !options_.log_file.empty();
  log_ =
      Log([this](const LogRecord& record) { show(record); }, all ? Severity::debug : Severity::info)
          .once();
  if (options_.log_file.empty()) return;
  log_file_ = std::fopen(options_.log_file.c_str(), "a");
  if (log_file_ == nullptr)
    throw Error(ErrorCode::file, fmt::format("cannot write the log \"{}\": {}",
                                             options_.log_file.string(), std::strerror(errno)));
}

Console::~Console() {
  clear_bar();
  if (log_file_ == nullptr) return;
  // The command ended before its inputs were known: a non-empty log file may be one of them.
  struct stat status {};
  log_is_open_ |= ::fstat(::fileno(log_file_), &status) == 0 && status.st_size == 0;
  if (!log_is_open_ && !unwritten_.empty())
    put_text(stderr,
             fmt::format("tutti: note: the log \"{}\" was not changed: it may be an input of "
                         "the command\n",
                         options_.log_file.string()));
  write_log();
  std::fclose(log_file_);
}

void Console::open_log(const std::vector<std::filesystem::path>& inputs,
                       const std::vector<std::filesystem::path>& outputs) {
  if (log_file_ == nullptr || log_is_open_) return;
  protect_inputs(options_.log_file, inputs);
  for (const std::filesystem::path& output : outputs) {
    std::error_code none;
    if (!output.empty() && std::filesystem::equivalent(options_.log_file, output, none))
      throw Error(ErrorCode::usage,
                  fmt::format("the log and the output are the same file, \"{}\"", output.string()));
  }
  struct stat status {};
  if (::fstat(::fileno(log_file_), &status) == 0 && S_ISREG(status.st_mode) &&
      ::ftruncate(::fileno(log_file_), 0) != 0)
    throw Error(ErrorCode::file, fmt::format("cannot write the log \"{}\": {}",
                                             options_.log_file.string(), std::strerror(errno)));
  log_is_open_ = true;
  write_log();
}

void Console::write_log() {
  if (!log_is_open_) return;
  put(log_file_, unwritten_);
  unwritten_.clear();
}

void Console::show(const LogRecord& record) {
  std::string text;
  if (!record.component.empty()) text += fmt::format("{}: ", record.component);
  if (!record.category.empty()) text += fmt::format("[{}] ", record.category);
  const std::size_t prefix = text.size();
  text += record.text;
  while (text.ends_with('\n')) text.pop_back();
  if (log_file_ != nullptr) {
    unwritten_ += std::string(word(record.severity)) + without_controls(text) + "\n";
    write_log();
  }
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
  line(text, record.severity);
}

void Console::error(const std::string& text) {
  const bool all = text.size() <= shown_error_characters;
  line(all ? text : text.substr(0, shown_error_characters) + " ...", Severity::error);
}

void Console::note(const std::string& text) {
  if (!options_.quiet) line(text);
}

void Console::warning(const std::string& text) { show({Severity::warning, "", "", text}); }

void Console::line(const std::string& text, Severity severity) {
  clear_bar();
  put_message(severity, text);
}

bool Console::shows_bar(double fraction, double done) {
  using namespace std::chrono_literals;
  if (!is_terminal_ || options_.quiet) return false;
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  run_.add({std::chrono::duration<double>(elapsed).count(), done, fraction});
  return elapsed >= 1s;
}

void Console::status(const std::string& text) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || options_.quiet || now - start_ < 1s || now - last_progress_ < 100ms) return;
  last_progress_ = now;
  show_bar(text.substr(0, bar_width()));
}

void Console::show_bar(const std::string& text) {
  put(stderr, fmt::format("\r\x1b[K{}", text));
  std::fflush(stderr);
  bar_shown_ = true;
}

void Console::progress(double fraction, double time) {
  if (shows_bar(fraction, time)) show_bar(progress_line(run_, bar_width()));
}

void Console::progress_of_runs(std::uint64_t done, std::uint64_t all) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (done < all && now - last_progress_ < 200ms) return;  // it is called after each run
  last_progress_ = now;
  const double fraction = all == 0 ? 1 : static_cast<double>(done) / static_cast<double>(all);
  if (shows_bar(fraction, static_cast<double>(done)))
    show_bar(progress_line_of_runs(run_, all, bar_width()));
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

std::string without_controls(std::string_view text, std::string_view escape) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
      out += fmt::format("{}{:02x}", escape, c);
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // the controls of Latin-1, in UTF-8
      out += fmt::format("{}{:02x}", escape, next);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool put_text(std::FILE* stream, std::string_view text) {
  return put(stream, without_controls(text));
}

void put_message(Severity severity, std::string_view text) {
  const std::string_view kind = word(severity);
  put(stderr, fmt::format("tutti: {}{}\n", is_colored(stderr) ? painted_word(kind, severity) : kind,
                          without_controls(text)));
}

bool put_json(std::FILE* stream, std::string_view text) {
  return put(stream, without_controls(text, "\\u00"));
}

void protect_inputs(const std::filesystem::path& output,
                    const std::vector<std::filesystem::path>& inputs) {
  std::error_code none;
  for (const std::filesystem::path& input : inputs) {
    const auto is_same = [&] {  // also where none of them exists yet
      return std::filesystem::equivalent(output, input, none) ||
             std::filesystem::weakly_canonical(output, none) ==
                 std::filesystem::weakly_canonical(input, none);
    };
    if (!output.empty() && !input.empty() && (is_same() || is_part_of(output, input)))
      throw Error(
          ErrorCode::usage,
          fmt::format("writing \"{}\" would overwrite \"{}\", which the command uses, too. Choose "
                      "another file.",
                      output.string(), input.string()));
  }
}

const std::atomic<bool>& interrupted() { return interrupt_flag; }
void prepare_opening(FmuOptions& open) {
  open.stop = &interrupted();
  open.cache = make_file_cache();
}
const std::atomic<bool>& killed() { return kill_flag; }

RunningCommand::RunningCommand() {
  static const int registered = std::atexit([] {
    if (running_process != ::getpid()) return;  // in a child, its parent reports it
    put(stderr, "tutti: error: an FMU ended the process: it called exit()\n");
    std::_Exit(1);
  });
  static_cast<void>(registered);
  running_process = ::getpid();
}

RunningCommand::~RunningCommand() { running_process = 0; }

void prepare_process() {
  // A file of the program must not get the number of a standard stream that the caller closed.
  for (int fd = 0; fd <= 2; ++fd)
    if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", O_RDWR) == -1) std::_Exit(1);
  // `tutti ... | head` must not end a run: writing then fails, which is checked.
  ::signal(SIGPIPE, SIG_IGN);
  // A caller that ignores SIGCHLD does not affect the children of this process.
  ::signal(SIGCHLD, SIG_DFL);
  const auto handle = [](int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigaction(signal, &action, nullptr);
  };
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, take_signal);
  for (const int signal : {SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU}) {
    struct sigaction present {};
    ::sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN) handle(signal, take_signal);  // keeps nohup
  }
  handle(SIGXFSZ, [](int) {});  // writing then fails with a message
}

}  // namespace tutti::cli
