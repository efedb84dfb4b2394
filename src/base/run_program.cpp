// SPDX-License-Identifier: BSD-2-Clause
#include "base/run_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <tutti/error.hpp>
#include <utility>

#include "base/seconds.hpp"

extern char** environ;

namespace tutti {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  void close() {
    if (const int old = std::exchange(value_, -1); old >= 0) ::close(old);
  }

 private:
  int value_;
};

/// Arguments of posix_spawn; freed by the destructor.
struct SpawnPlan {
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

pid_t spawn(const std::vector<std::string>& command, const fs::path& folder, int output) {
  SpawnPlan plan;
  ::posix_spawn_file_actions_addopen(&plan.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&plan.actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&plan.actions, output, STDERR_FILENO);
  if (!folder.empty()) ::posix_spawn_file_actions_addchdir_np(&plan.actions, folder.c_str());
  // This process may ignore or block signals that the program needs.
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) ::sigaddset(&usual, signal);
  ::posix_spawnattr_setsigmask(&plan.attributes, &none);
  ::posix_spawnattr_setsigdefault(&plan.attributes, &usual);
  ::posix_spawnattr_setflags(
      &plan.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, command.front().c_str(), &plan.actions, &plan.attributes,
                                   arguments.data(), environ);
  if (failed != 0) {
    throw Error(ErrorCode::file, fmt::format("cannot start \"{}\": {}", command.front(),
                                             std::generic_category().message(failed)));
  }
  return child;
}

/// Reads what is available. False at the end of the stream.
bool drain(int from, std::string& to, std::size_t most) {
  char buffer[4096];
  while (true) {
    const ssize_t count = ::read(from, buffer, sizeof buffer);
    if (count == 0) return false;
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    to.append(buffer, std::min(static_cast<std::size_t>(count), most - to.size()));
  }
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& command, const ProgramOptions& options) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw Error(ErrorCode::file,
                fmt::format("cannot make a pipe: {}", std::generic_category().message(errno)));
  }
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  ::fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  const pid_t child = spawn(command, options.folder, writer.get());
  writer.close();

  const auto begin = Clock::now();
  ProgramEnd end;
  int status = 0;
  bool open = true;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (options.stop != nullptr && options.stop->load()) end.kind = ProgramEnd::Kind::stopped;
    if (options.timeout > 0 && seconds_since(begin) > options.timeout)
      end.kind = ProgramEnd::Kind::timed_out;
    if (end.kind != ProgramEnd::Kind::exited) break;
    pollfd waiting{open ? reader.get() : -1, POLLIN, 0};
    ::poll(&waiting, 1, open ? 20 : 2);
    if (open) open = drain(reader.get(), end.output, options.most_output);
  }
  const bool ended = end.kind == ProgramEnd::Kind::exited;
  ::kill(-child, SIGKILL);  // and processes that it started
  if (!ended) ::waitpid(child, &status, 0);
  drain(reader.get(), end.output, options.most_output);
  if (!ended) return end;
  if (WIFSIGNALED(status)) end.kind = ProgramEnd::Kind::killed;
  end.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

fs::path find_program(std::string_view name) {
  const auto usable = [](const fs::path& file) {
    std::error_code failed;
    return fs::is_regular_file(file, failed) && ::access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != name.npos) return usable(name) ? fs::absolute(name) : fs::path();
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "/usr/bin:/bin";
  while (!folders.empty() && !name.empty()) {
    const std::size_t end = std::min(folders.size(), folders.find(':'));
    const fs::path file = fs::path(folders.substr(0, end)) / name;
    // A relative entry would run a file in the current folder.
    if (file.is_absolute() && usable(file)) return file;
    folders.remove_prefix(std::min(folders.size(), end + 1));
  }
  return {};
}

}  // namespace tutti
