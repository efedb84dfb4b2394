// SPDX-License-Identifier: BSD-2-Clause
#include "execution/process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <tutti/error.hpp>

namespace tutti::execution {
namespace {

[[noreturn]] void run_child(const std::function<void()>& body, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  int status = 0;
  try {
    body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tutti: internal error: %s\n", error.what());
    status = 1;
  }
  std::fflush(nullptr);
  ::_exit(status);
}

}  // namespace

pid_t fork_process(const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0)
    throw Error(ErrorCode::file,
                fmt::format("cannot start a process for the FMU: {}", std::strerror(errno)),
                {.key = "in-process", .hint = "Try %key%."});
  if (pid == 0) run_child(body, parent);
  return pid;
}

Process::Process(pid_t pid)
    : pid_(pid), handle_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}

Process::~Process() {
  kill();
  if (handle_ >= 0) ::close(handle_);
}

void Process::wait_at_most(std::chrono::microseconds time) const {
  pollfd end{handle_, POLLIN, 0};  // a negative handle is ignored: then this only sleeps
  const timespec limit{time.count() / 1'000'000, time.count() % 1'000'000 * 1000};
  ::ppoll(&end, 1, &limit, nullptr);
}

void Process::wait(int flags) {
  int status = 0;
  pid_t waited = 0;
  do waited = ::waitpid(pid_, &status, flags);
  while (waited < 0 && errno == EINTR);
  if (waited == 0) return;
  ended_ = true;
  if (waited == pid_) status_ = status;
}

bool Process::has_ended() {
  if (!ended_) wait(WNOHANG);
  return ended_;
}

void Process::kill() {
  if (has_ended()) return;  // the number may belong to another process by now
  ::kill(pid_, SIGKILL);
  wait(0);
}

bool Process::ended_well() const {
  return !status_ || (WIFEXITED(*status_) && WEXITSTATUS(*status_) == 0);
}

bool Process::was_killed() const { return status_ && WIFSIGNALED(*status_); }

std::string signal_text(int signal) {
  std::string text = ::sigdescr_np(signal) != nullptr ? ::sigdescr_np(signal) : "signal";
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  const char* name = ::sigabbrev_np(signal);
  return fmt::format("{} (SIG{})", text, name != nullptr ? name : std::to_string(signal));
}

std::string Process::how_it_ended() const {
  if (!status_) return "its exit status is not known, because SIGCHLD is ignored";
  if (WIFSIGNALED(*status_)) return signal_text(WTERMSIG(*status_));
  return fmt::format("exit status {}", WEXITSTATUS(*status_));
}

}  // namespace tutti::execution
