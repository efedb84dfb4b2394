// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

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

}  // namespace tutti::execution
