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

[[noreturn]] void run_child(const std::function<void()>& body, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  // These go to the whole process group: from a terminal, from timeout(1), from a batch system. The
  // parent decides. A handler instead of SIG_IGN: programs that an FMU starts get the default
  // action back.
  struct sigaction nothing {};
  nothing.sa_handler = [](int) {};
  nothing.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present {};
    ::sigaction(signal, nullptr, &present);
    if (present.sa_handler != SIG_IGN) ::sigaction(signal, &nothing, nullptr);  // nohup stays
  }
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
                fmt::format("cannot start a process for the FMU: {}. Try --in-process.",
                            std::strerror(errno)));
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

bool ChildProcess::has_ended() {
  if (!ended_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
  return ended_;
}

void ChildProcess::kill() {
  if (ended_) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
}

bool ChildProcess::ended_well() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }

bool ChildProcess::was_killed() const { return WIFSIGNALED(status_); }

std::string ChildProcess::how_it_ended() const {
  if (WIFSIGNALED(status_)) {
    const int signal = WTERMSIG(status_);
    std::string text = ::sigdescr_np(signal) != nullptr ? ::sigdescr_np(signal) : "signal";
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    const char* name = ::sigabbrev_np(signal);
    return fmt::format("{} (SIG{})", text, name != nullptr ? name : std::to_string(signal));
  }
  return fmt::format("exit status {}", WEXITSTATUS(status_));
}

}  // namespace tutti::execution
