// SPDX-License-Identifier: BSD-2-Clause
#include "execution/worker_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <tutti/error.hpp>
#include <utility>

#include "base/build_id.hpp"

namespace tutti::execution {
namespace {

constexpr double longest_spinning = 200e-6, shortest_spinning = 5e-6, longest_yielding = 1e-3;

/// A pause while spinning: yields to the other hardware thread of the core, and saves power.
void pause_a_little() {
#if defined(__x86_64__)
  for (int i = 0; i < 8; ++i) __builtin_ia32_pause();
#else
  for (int i = 0; i < 8; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* limit) {
  return ::syscall(SYS_futex, &word, operation, value, limit, nullptr, 0);
}

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

[[noreturn]] void refuse_memory(std::size_t size) {
  throw Error(ErrorCode::capability,
              fmt::format("there is not enough memory: cannot get {} kB that processes share: {}",
                          size >> 10, std::strerror(errno)),
              {.hint = "Close other programs, or raise the limits (ulimit -v, ulimit -f)."});
}

/// Above the standard streams, which the process may have closed.
int make_memory_file(std::size_t size) {
  const int made = ::memfd_create("tutti", MFD_CLOEXEC);
  if (made < 0) refuse_memory(size);
  const int descriptor = ::fcntl(made, F_DUPFD_CLOEXEC, 10);
  ::close(made);
  if (descriptor < 0) refuse_memory(size);
  if (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) {
    const int cause = errno;
    ::close(descriptor);
    errno = cause;
    refuse_memory(size);
  }
  return descriptor;
}

std::size_t whole_pages(std::size_t size) {
  return (size + page_size() - 1) / page_size() * page_size();
}

/// The owner handles signals that go to many processes (from a terminal, from a batch system). A
/// handler instead of SIG_IGN: programs that an FMU starts get the default action back. Ignored
/// signals (by nohup) stay ignored.
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
  // Limits of this process: exceeding them ends it with a message.
  for (const int signal : {SIGXCPU, SIGXFSZ}) change(signal, SIG_DFL);
  // A group in the background may print to its terminal, even with `stty tostop`.
  ::signal(SIGTTOU, SIG_IGN);
}

WorkerMemory::Head* noted = nullptr;
pid_t noting = 0;  // not processes that it forks
std::array<struct sigaction, NSIG> usual{};

/// For an owner that ignores SIGCHLD. The default action follows: a fault occurs again.
void note_signal(int signal, siginfo_t* info, void* /*context*/) {
  if (::getpid() == noting) noted->fatal_signal = signal;
  ::sigaction(signal, &usual[static_cast<std::size_t>(signal)], nullptr);
  if (info->si_code <= 0) ::raise(signal);
}

/// On a separate stack: the usual one may be exhausted.
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

/// Waits in the group of the worker until the owner has gone, and ends the group. It keeps nothing
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

void Signal::raise() {
  count.fetch_add(1);
  if (sleepers.load() != 0) futex(count, FUTEX_WAKE, INT32_MAX, nullptr);
}

unsigned usable_cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

void Waiting::start(bool has_own_core) {
  started_ = Clock::now();
  has_own_core_ = has_own_core;
  if (has_own_core)
    patience_ =
        last_ > longest_spinning ? shortest_spinning : std::max(2 * last_, shortest_spinning);
  else
    patience_ = last_ > longest_yielding ? 0 : longest_yielding;
}

bool Waiting::differs(const Signal& signal, std::uint32_t seen) {
  if (signal.count.load(std::memory_order_acquire) == seen) return false;
  last_ = seconds_since(started_);
  return true;
}

bool Waiting::wait(Signal& signal, std::uint32_t seen, std::chrono::microseconds at_most) {
  if (differs(signal, seen)) return true;
  while (seconds_since(started_) < std::min(patience_, longest_yielding)) {
    for (int i = 0; i < 16; ++i) {
      if (has_own_core_)
        pause_a_little();
      else
        ::sched_yield();
      if (signal.count.load(std::memory_order_acquire) != seen) return differs(signal, seen);
    }
  }
  const timespec limit{at_most.count() / 1'000'000, at_most.count() % 1'000'000 * 1000};
  signal.sleepers.fetch_add(1);
  if (signal.count.load() == seen) futex(signal.count, FUTEX_WAIT, seen, &limit);
  signal.sleepers.fetch_sub(1);
  return differs(signal, seen);
}

SharedMemory::SharedMemory(std::size_t size)
    : SharedMemory(make_memory_file(whole_pages(size)), whole_pages(size)) {}

SharedMemory SharedMemory::open(int descriptor) {
  struct stat file {};
  if (::fstat(descriptor, &file) != 0) refuse_memory(0);
  return {descriptor, static_cast<std::size_t>(file.st_size)};
}

SharedMemory::SharedMemory(int descriptor, std::size_t size)
    : descriptor_(descriptor), size_(size) {
  const std::size_t page = page_size();
  void* const whole = ::mmap(nullptr, size_ + 2 * page, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) refuse_memory(size_);
  start_ = static_cast<std::byte*>(whole) + page;
  if (::mmap(start_, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
             descriptor_, 0) == MAP_FAILED) {
    ::munmap(whole, size_ + 2 * page);
    refuse_memory(size_);
  }
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      start_(std::exchange(other.start_, nullptr)),
      size_(other.size_) {}

SharedMemory::~SharedMemory() {
  if (start_ == nullptr) return;
  ::munmap(start_ - page_size(), size_ + 2 * page_size());
  ::close(descriptor_);
}

SharedMemory WorkerMemory::make() {
  constexpr std::size_t least = std::size_t{1} << 16;
  const std::size_t rest = head_bytes + Ring::bytes_for(request_bytes) + Ring::bytes_for(0);
  std::size_t ring = message_bytes;
  if (rlimit limit{}; ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < rest + ring)
    ring = std::bit_floor(std::max<std::size_t>(limit.rlim_cur, rest + least) - rest);
  return SharedMemory(rest + ring);
}

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

/// Processes that FMUs have started end with the worker.
void WorkerSide::quit() const {
  if (guard_ > 0 && ::kill(guard_, SIGKILL) == 0) ::waitpid(guard_, nullptr, 0);
  ::kill(0, SIGKILL);
  ::_exit(0);
}

}  // namespace tutti::execution
