// SPDX-License-Identifier: BSD-2-Clause
#include "execution/worker_side.hpp"

#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/build_id.hpp"

namespace tutti::execution {
namespace {

/// Its owner decides what a signal means that goes to many processes (from a terminal, from a batch
/// system). A handler instead of SIG_IGN: programs that an FMU starts get the default action back.
/// What is ignored (by nohup) stays so.
void leave_signals_to_owner() {
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
  // A group in the background may print to its terminal, whatever `stty tostop` says.
  ::signal(SIGTTOU, SIG_IGN);
}

WorkerMemory::Head* noted = nullptr;
pid_t noting = 0;  // not those that it forks
std::array<struct sigaction, NSIG> usual{};

/// For an owner that ignores SIGCHLD. What would have happened, happens next: a fault comes again.
void note_signal(int signal, siginfo_t* info, void* /*context*/) {
  if (::getpid() == noting) noted->fatal_signal = signal;
  ::sigaction(signal, &usual[static_cast<std::size_t>(signal)], nullptr);
  if (info->si_code <= 0) ::raise(signal);
}

/// On a stack of its own: the usual one may be exhausted.
void note_fatal_signals(WorkerMemory::Head& head) {
  noted = &head;
  noting = ::getpid();
  static std::array<char, 1 << 16> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = note_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    ::sigaction(signal, &action, &usual[static_cast<std::size_t>(signal)]);
  const auto note_exit = [](int status, void*) {
    if (::getpid() == noting) noted->exit_status_plus = status + 1;
  };
  ::on_exit(note_exit, nullptr);
}

/// Waits in the group of the worker until the owner has gone, and ends the group. It holds nothing
/// else open.
[[noreturn]] void guard() {
  ::prctl(PR_SET_NAME, "tutti-guard");
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::dup2(owner_descriptor, 0);
  ::syscall(SYS_close_range, 1, ~0u, 0);
  char nothing = 0;
  errno = 0;
  while (::read(0, &nothing, 1) > 0 || errno == EINTR) errno = 0;
  ::kill(0, SIGKILL);
  ::_exit(0);
}

SharedMemory given_memory(int argc, const char* const* argv) {
  if (argc < 3 || build_id() != argv[2]) ::_exit(other_build_status);
  return SharedMemory::open(memory_descriptor);
}

}  // namespace

bool WorkerSide::is_asked_for(int argc, const char* const* argv) {
  return argc == 3 && std::strcmp(argv[1], serve_argument) == 0;
}

WorkerSide::WorkerSide(int argc, const char* const* argv) : memory_(given_memory(argc, argv)) {
  guard_ = ::fork();
  if (guard_ == 0) guard();
  if (guard_ < 0) ::_exit(no_guard_status);
  memory_.head.is_serving = WorkerMemory::serving;
  ::prctl(PR_SET_NAME, "tutti-worker");
  ::close(owner_descriptor);
  leave_signals_to_owner();
  note_fatal_signals(memory_.head);
}

Ring::Message WorkerSide::next_request() {
  using namespace std::chrono_literals;
  waiting_.start(memory_.head.has_own_core.load(std::memory_order_relaxed));
  Ring::Message message;
  while (!memory_.requests.next(message)) {
    waiting_.wait(memory_.head.requests, seen_, 1s);
    seen_ = memory_.head.requests.count.load();
  }
  if (message.kind == quit_request) quit();
  return message;
}

void WorkerSide::answer(std::uint32_t kind, std::string_view bytes) {
  memory_.messages.send(kind, bytes);
  memory_.head.answers.raise();
}

/// Whatever FMUs have started and left ends with the worker.
void WorkerSide::quit() const {
  if (guard_ > 0 && ::kill(guard_, SIGKILL) == 0) ::waitpid(guard_, nullptr, 0);
  ::kill(0, SIGKILL);
  ::_exit(0);
}

}  // namespace tutti::execution
