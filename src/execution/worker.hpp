// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "execution/worker_memory.hpp"

namespace tutti::execution {

/// A child process: whether it still runs, and how it ended. It is killed with the object.
class Process {
 public:
  /// Takes over a child of this process.
  explicit Process(pid_t pid);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t number() const { return pid_; }
  /// Does not wait. (Processes that it started do not count.)
  bool has_ended();
  /// Sleeps until it ends, at most for this time.
  void wait_at_most(std::chrono::microseconds time) const;
  void kill();
  /// Of the wait status. Empty: unknown, because the caller ignores SIGCHLD or waits for all
  /// children itself.
  std::optional<int> status() const { return status_; }
  /// @pre it has ended
  bool ended_well() const;  ///< exit status 0, or unknown
  bool was_killed() const;  ///< by a signal
  /// @pre it has ended. For messages: "segmentation fault (SIGSEGV)", "exit status 3".
  std::string how_it_ended() const;

 private:
  void wait(int flags);
  pid_t pid_;
  int handle_;  ///< of the process, for poll(); negative where the system has none
  bool ended_ = false;
  std::optional<int> status_;
};

/// "segmentation fault (SIGSEGV)"
std::string signal_text(int signal);

/// Starts a copy of this process that runs one task and is killed with its parent. Its output goes
/// to standard error.
/// @pre this process has one thread: it is a worker
/// @throws Error(file)
pid_t fork_process(const std::function<void()>& body);

/// A program of Tutti that runs FMUs, so that their crash or hang does not end this process. It has
/// its own process group, which is killed with this object, and also if this process ends: a small
/// guard process in the group reads a pipe that this one holds open.
///
/// It is executed, never forked: callers have threads. It receives its tasks as requests.
class Worker {
 public:
  /// @throws Error(capability) if it cannot be started
  explicit Worker(std::filesystem::path program);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// @throws Error(crash) if it has ended and takes no more requests
  void request(std::uint32_t kind, std::string_view bytes);
  /// Its messages, including replies.
  Ring& messages() { return memory_.messages; }
  /// Waits for a reply to the last request, at most for this time.
  void wait_at_most(std::chrono::microseconds time);
  Monitor& monitor() { return memory_.head.monitor; }

  const std::filesystem::path& program() const { return program_; }
  /// It is a worker of the same build, and has started.
  bool is_serving() const { return memory_.head.is_serving == WorkerMemory::serving; }
  bool has_ended() { return process_.has_ended(); }
  /// Kills it with all processes that FMUs have started.
  void kill();
  /// @pre it has ended
  bool was_killed() const;
  std::string how_it_ended() const;

 private:
  std::filesystem::path program_;
  WorkerMemory memory_;
  int owner_pipe_ = -1;  ///< open until this process ends
  Process process_;
  bool is_group_gone_ = false;  ///< every process of the group has ended
  Clock::time_point requested_at_;
  Waiting waiting_;
  std::uint32_t seen_ = 0;
};

/// The program to start: the given one, this one if it can serve, that of the environment variable
/// TUTTI_WORKER, or tutti-worker in the folder `tutti` beside the library or beside the executable.
/// @throws Error(capability)
std::filesystem::path find_worker_program(const std::filesystem::path& given);
/// Marks that this program can serve as a worker.
void note_own_worker();

}  // namespace tutti::execution
