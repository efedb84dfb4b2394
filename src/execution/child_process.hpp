// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace tutti::execution {

/// A forked copy of this process that runs one function. It dies with its parent, is not ended by
/// signals that go to the whole process group (the parent decides), and what it prints goes to
/// standard error.
class ChildProcess {
 public:
  /// @pre this process has one thread
  explicit ChildProcess(const std::function<void()>& body);
  /// Kills the child if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Does not wait. (A process that the FMU left behind does not count.)
  bool has_ended();
  /// Sleeps until the child ends, but no longer than this.
  void wait_at_most(std::chrono::microseconds time) const;
  void kill();
  /// @pre it has ended
  bool ended_well() const;  ///< exit status 0, or unknown
  bool was_killed() const;  ///< by a signal
  /// @pre it has ended. For people: "segmentation fault (SIGSEGV)", "exit status 3".
  std::string how_it_ended() const;

 private:
  void wait(int flags);
  pid_t pid_ = -1;
  int handle_ = -1;  ///< of the process, for poll(); negative where the system has none
  bool ended_ = false;
  /// None: the caller ignores SIGCHLD or waits for all children itself, so nobody knows.
  std::optional<int> status_;
};

}  // namespace tutti::execution
