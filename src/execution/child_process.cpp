// SPDX-License-Identifier: BSD-2-Clause
#include "execution/child_process.hpp"

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

/// What goes to the whole process group (from a terminal, from timeout(1), from a batch system) is
/// for the parent to decide. A handler instead of SIG_IGN: programs that an FMU starts get the
/// default action back. What is ignored (by nohup) stays so.
void leave_signals_to_parent() {
  const auto change = [](int signal, void (*handler)(int)) {
    struct sigaction present {};
    ::sigaction(signal, nullptr, &present);
    if (present.sa_handler == SIG_IGN) return;
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM})
    change(signal, [](int) {});
  // Limits of this process: their end is the message.
  for (const int signal : {SIGXCPU, SIGXFSZ}) change(signal, SIG_DFL);
}

[[noreturn]] void run_child(const std::function<void()>& body, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  leave_signals_to_parent();
  ::signal(SIGPIPE, SIG_DFL);
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

ChildProcess::ChildProcess(const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0)
    throw Error(ErrorCode::file,
                fmt::format("cannot start a process for the FMU: {}", std::strerror(errno)),
                {.key = "in-process", .hint = "Try %key%."});
  if (pid_ == 0) run_child(body, parent);
  handle_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
}

ChildProcess::~ChildProcess() {
  kill();
  if (handle_ >= 0) ::close(handle_);
}

void ChildProcess::wait_at_most(std::chrono::microseconds time) const {
  pollfd end{handle_, POLLIN, 0};  // a negative handle is ignored: then this only sleeps
  const timespec limit{time.count() / 1'000'000, time.count() % 1'000'000 * 1000};
  ::ppoll(&end, 1, &limit, nullptr);
}

void ChildProcess::wait(int flags) {
  int status = 0;
  pid_t waited = 0;
  do waited = ::waitpid(pid_, &status, flags);
  while (waited < 0 && errno == EINTR);
  if (waited == 0) return;
  ended_ = true;
  if (waited == pid_) status_ = status;
}

bool ChildProcess::has_ended() {
  if (!ended_) wait(WNOHANG);
  return ended_;
}

void ChildProcess::kill() {
  if (has_ended()) return;  // the number may belong to another process by now
  ::kill(pid_, SIGKILL);
  wait(0);
}

bool ChildProcess::ended_well() const {
  return !status_ || (WIFEXITED(*status_) && WEXITSTATUS(*status_) == 0);
}

bool ChildProcess::was_killed() const { return status_ && WIFSIGNALED(*status_); }

std::string ChildProcess::how_it_ended() const {
  if (!status_) return "its exit status is not known, because SIGCHLD is ignored";
  if (WIFSIGNALED(*status_)) {
    const int signal = WTERMSIG(*status_);
    std::string text = ::sigdescr_np(signal) != nullptr ? ::sigdescr_np(signal) : "signal";
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    const char* name = ::sigabbrev_np(signal);
    return fmt::format("{} (SIG{})", text, name != nullptr ? name : std::to_string(signal));
  }
  return fmt::format("exit status {}", WEXITSTATUS(*status_));
}

}  // namespace tutti::execution
