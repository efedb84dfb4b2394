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

/// Another process of ours: whether it still runs, and how it ended. It is killed with the object.
class Process {
 public:
  /// Takes over a child of this process.
  explicit Process(pid_t pid);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t number() const { return pid_; }
  /// Does not wait. (A process that it left behind does not count.)
  bool has_ended();
  /// Sleeps until it ends, but no longer than this.
  void wait_at_most(std::chrono::microseconds time) const;
  void kill();
  /// Of the wait status. None: the caller ignores SIGCHLD or waits for all children itself, so
  /// it is not known.
  std::optional<int> status() const { return status_; }
  /// @pre it has ended
  bool ended_well() const;  ///< exit status 0, or unknown
  bool was_killed() const;  ///< by a signal
  /// @pre it has ended. For people: "segmentation fault (SIGSEGV)", "exit status 3".
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

/// Starts a copy of this process that does one thing and dies with its parent. What it prints goes
/// to standard error.
/// @pre this process has one thread: it is a worker
/// @throws Error(file)
pid_t fork_process(const std::function<void()>& body);

/// A program of ours that was started to run FMUs, so that their crash or hang is not the end of
/// this process. It has a process group of its own, which is killed with this object, and also if
/// this process ends: a small guard process in the group reads a pipe that this one holds open.
///
/// It is executed, never forked: callers have threads. What it is to do, it is sent.
class Worker {
 public:
  /// @throws Error(capability) if it cannot be started
  explicit Worker(std::filesystem::path program);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// @throws Error(crash) if it has ended and can take no more
  void request(std::uint32_t kind, std::string_view bytes);
  /// What it sends, the answers among it.
  Ring& messages() { return memory_.messages; }
  /// Until it has sent an answer since the last request, but no longer than this.
  void wait_at_most(std::chrono::microseconds time);
  Monitor& monitor() { return memory_.head.monitor; }

  const std::filesystem::path& program() const { return program_; }
  /// It is a worker of ours, of the same build, and has started.
  bool is_serving() const { return memory_.head.is_serving == WorkerMemory::serving; }
  bool has_ended() { return process_.has_ended(); }
  /// With everything that FMUs have started.
  void kill();
  /// @pre it has ended
  bool was_killed() const;
  std::string how_it_ended() const;

 private:
  std::filesystem::path program_;
  WorkerMemory memory_;
  int owner_pipe_ = -1;  ///< open until this process ends
  Process process_;
  bool is_group_gone_ = false;  ///< every process of it
  Clock::time_point requested_at_;
  Waiting waiting_;
  std::uint32_t seen_ = 0;
};

/// The program to start: the given one, this one if it can serve, that of the environment variable
/// TUTTI_WORKER, or tutti-worker in the folder `tutti` beside the library or beside the executable.
/// @throws Error(capability)
std::filesystem::path find_worker_program(const std::filesystem::path& given);
/// This program, started as a worker, serves.
void note_own_worker();

}  // namespace tutti::execution
