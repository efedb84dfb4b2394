// SPDX-License-Identifier: BSD-2-Clause
#include "execution/worker.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <tutti/error.hpp>
#include <utility>

#include "base/build_id.hpp"

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

namespace fs = std::filesystem;

constexpr double longest_request = 10;  // seconds until it is taken

std::atomic<unsigned> worker_count{0};
std::atomic<bool> can_serve{false};

/// The demand for cores: each worker and the thread that waits for it.
bool have_cores_of_their_own() {
  static const unsigned cores = usable_cores();
  return 2 * worker_count.load(std::memory_order_relaxed) <= cores;
}

/// Both ends above the standard streams, which the process may have closed.
std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(ErrorCode::capability,
                fmt::format("cannot make a pipe to a worker: {}", std::strerror(errno)));
  for (int& end : ends)
    if (const int above = ::fcntl(end, F_DUPFD_CLOEXEC, 10); above >= 0) {
      ::close(end);
      end = above;
    }
  return ends;
}

/// The standard streams of the new process: no input, output goes to standard error.
class StartDescriptors {
 public:
  StartDescriptors(int memory, int owner) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (::fcntl(STDERR_FILENO, F_GETFD) < 0)
      ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, STDERR_FILENO, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, memory, memory_descriptor);
    ::posix_spawn_file_actions_adddup2(&actions_, owner, owner_descriptor);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, owner_descriptor + 1);
  }
  ~StartDescriptors() { ::posix_spawn_file_actions_destroy(&actions_); }
  StartDescriptors(const StartDescriptors&) = delete;
  StartDescriptors& operator=(const StartDescriptors&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// A separate process group, no signal blocked, and default actions for signals that the caller may
/// ignore.
class StartAttributes {
 public:
  StartAttributes() {
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int signal : {SIGPIPE, SIGCHLD}) ::sigaddset(&signals, signal);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
  }
  ~StartAttributes() { ::posix_spawnattr_destroy(&attributes_); }
  StartAttributes(const StartAttributes&) = delete;
  StartAttributes& operator=(const StartAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

pid_t start(const fs::path& program, int memory, int& owner_pipe) {
  const auto [read_end, write_end] = make_pipe();
  const StartDescriptors descriptors(memory, read_end);
  const StartAttributes attributes;
  std::string name = "tutti-worker", serve = serve_argument, id(build_id());
  const std::array<char*, 4> arguments{name.data(), serve.data(), id.data(), nullptr};
  pid_t pid = 0;
  const int failure = ::posix_spawn(&pid, program.c_str(), descriptors.get(), attributes.get(),
                                    arguments.data(), environ);
  ::close(read_end);
  if (failure != 0) {
    ::close(write_end);
    throw Error(
        ErrorCode::capability,
        fmt::format("cannot start the worker \"{}\": {}", program.string(), std::strerror(failure)),
        {.key = "in-process",
         .hint = "Check limits of processes and memory (ulimit -u, ulimit -v), or try %key%."});
  }
  owner_pipe = write_end;
  return pid;
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
  pollfd end{handle_, POLLIN, 0};  // a negative handle is ignored: poll() only sleeps
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
  if (!status_) return "its exit status is unknown, because SIGCHLD is ignored";
  if (WIFSIGNALED(*status_)) return signal_text(WTERMSIG(*status_));
  return fmt::format("exit status {}", WEXITSTATUS(*status_));
}

void note_own_worker() { can_serve = true; }

fs::path find_worker_program(const fs::path& given) {
  if (!given.empty()) return given;
  if (can_serve) return "/proc/self/exe";
  if (const char* named = std::getenv("TUTTI_WORKER"); named != nullptr && *named != '\0')
    return named;
  constexpr const char* name = "tutti-worker";
  std::vector<fs::path> places;
  std::error_code none;
  if (Dl_info info; ::dladdr(reinterpret_cast<const void*>(&find_worker_program), &info) != 0)
    places.push_back(fs::absolute(info.dli_fname, none).parent_path() / "tutti" / name);
  const fs::path executable = fs::read_symlink("/proc/self/exe", none);
  places.push_back(executable.parent_path() / name);
  for (const fs::path& place : places)
    if (::access(place.c_str(), X_OK) == 0) return place;
  throw Error(ErrorCode::capability,
              fmt::format("there is no worker program to run FMUs in: neither {} nor {}",
                          places.front().string(), places.back().string()),
              {.key = "in-process",
               .hint = "Set the environment variable TUTTI_WORKER, or run the FMUs in this "
                       "process (%key%)."});
}

Worker::Worker(fs::path program)
    : program_(std::move(program)),
      memory_(WorkerMemory::make()),
      process_(start(program_, memory_.memory.descriptor(), owner_pipe_)) {
  ++worker_count;
  memory_.requests.when_full([this] {
    memory_.head.requests.raise();  // of a long request: the first part can be read
    if (process_.has_ended() || seconds_since(requested_at_) > longest_request)
      throw Error(ErrorCode::crash, "the worker takes no requests");
  });
}

Worker::~Worker() {
  --worker_count;
  if (!has_ended()) {
    try {
      requested_at_ = Clock::now();
      memory_.requests.send(quit_request, {});
      memory_.head.requests.raise();
      for (int i = 0; i < 20 && !has_ended(); ++i)
        process_.wait_at_most(std::chrono::milliseconds(10));
      is_group_gone_ = has_ended();  // it has ended the group itself
    } catch (const Error&) {         // then it must be killed
    }
  }
  kill();
  ::close(owner_pipe_);
}

void Worker::request(std::uint32_t kind, std::string_view bytes) {
  const bool have_cores = have_cores_of_their_own();
  memory_.head.has_own_core.store(have_cores, std::memory_order_relaxed);
  seen_ = memory_.head.answers.count.load();
  requested_at_ = Clock::now();
  memory_.requests.send(kind, bytes);
  memory_.head.requests.raise();
  waiting_.start(have_cores);
}

void Worker::wait_at_most(std::chrono::microseconds time) {
  waiting_.wait(memory_.head.answers, seen_, time);
}

void Worker::kill() {
  // The group still exists, with the guard in it. Later its number may be reused.
  if (!std::exchange(is_group_gone_, true)) ::kill(-process_.number(), SIGKILL);
  process_.kill();
}

bool Worker::was_killed() const {
  return process_.was_killed() || (!process_.status() && memory_.head.fatal_signal != 0);
}

std::string Worker::how_it_ended() const {
  const std::optional<int> status = process_.status();
  if (status && WIFEXITED(*status) && WEXITSTATUS(*status) == other_build_status)
    return "it was built from other sources than this program";
  if (status && WIFEXITED(*status) && WEXITSTATUS(*status) == no_guard_status)
    return "it cannot start a process (ulimit -u)";
  if (!status && memory_.head.fatal_signal != 0) return signal_text(memory_.head.fatal_signal);
  if (!status && memory_.head.exit_status_plus != 0)
    return fmt::format("exit status {}", memory_.head.exit_status_plus - 1);
  return process_.how_it_ended();
}

}  // namespace tutti::execution
