// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <tutti/simulation.hpp>
#include <utility>

#include "base/seconds.hpp"
#include "execution/worker.hpp"
#include "fmi/temporary_folder.hpp"
#include "session/drain.hpp"
#include "session/messages.hpp"
#include "session/run_outline.hpp"

namespace tutti::session {

inline bool is_requested(const std::atomic<bool>* request) {
  return request != nullptr && request->load();
}

/// The time to sleep, which grows while nothing happens.
class Patience {
 public:
  void reset() { next_ = first; }
  std::chrono::microseconds next() {
    return std::exchange(next_, std::min(next_ * 2, std::chrono::microseconds(5000)));
  }

 private:
  static constexpr std::chrono::microseconds first{50};
  std::chrono::microseconds next_ = first;
};

/// Calls the user's progress function a few times a second.
class ProgressCaller {
 public:
  explicit ProgressCaller(const RunControl& control) : control_(control) {}
  void call(const execution::Monitor& monitor, const RunOutline& outline);

 private:
  const RunControl& control_;
  Clock::time_point last_ = Clock::now();
};

/// The watchdog: checks whether a process makes progress, and whether to end it from outside.
/// Messages of an FMU are no progress: one that hangs may log indefinitely.
class Watchdog {
 public:
  Watchdog(const RunControl& control, const RunOutline& outline)
      : control_(control), outline_(outline) {}

  /// Starts watching.
  void start() { *this = Watchdog(control_, outline_); }
  /// Passes a request to end to the run; the caller may have one, too. Returns a report if the run
  /// must be killed now.
  std::optional<RunReport> look(execution::Monitor& monitor, bool stops,
                                std::string_view stepping = "in a step");

 private:
  void feel(const execution::Monitor& monitor);
  std::reference_wrapper<const RunControl> control_;
  std::reference_wrapper<const RunOutline> outline_;
  double in_step_ = 0, in_call_ = 0;  ///< seconds without progress
  std::uint64_t time_ = 0;
  std::uint32_t looks_ = 0;
  execution::Monitor::Phase phase_ = execution::Monitor::Phase::opening;
  std::array<std::uint32_t, execution::Monitor::most_threads> called_{};
  Clock::time_point last_look_ = Clock::now();
};

/// The report on a process that ended without being killed.
RunReport report_of_crash(const RunOutline& outline, const execution::Monitor& monitor,
                          bool was_killed, const std::string& how,
                          std::string_view stepping = "in a step");

/// A worker process that is started when it is first needed, and again after a crash; sessions use
/// it one after the other, in any thread.
class WorkerHost {
 public:
  explicit WorkerHost(std::filesystem::path program) : program_(std::move(program)) {}
  /// A running worker, until it is returned. @throws Error(usage) if it is in use
  execution::Worker& take();
  void give_back();
  /// For unpacked files: deleted with the host, however the worker ends.
  const std::filesystem::path& scratch() const { return scratch_.path(); }

 private:
  std::filesystem::path program_;
  fmi::TemporaryFolder scratch_;
  std::mutex mutex_;
  bool is_taken_ = false;
  std::unique_ptr<execution::Worker> worker_;
};

/// Requests to a worker, one at a time. During the wait for the reply, messages of the worker go to
/// observers and the log, and the watchdog monitors it.
class WorkerCaller {
 public:
  WorkerCaller(std::shared_ptr<WorkerHost> host, const RunControl& control, const Log& log);
  ~WorkerCaller();
  WorkerCaller(const WorkerCaller&) = delete;
  WorkerCaller& operator=(const WorkerCaller&) = delete;

  /// The bytes of the reply. @throws Error from the worker, or on how it ended
  std::string call(Request request, const Packer& arguments = {});
  /// The same in two parts: the request runs while this process continues.
  void ask(Request request, const Packer& arguments = {});
  /// A request without a reply; several can wait. Until expect_nothing(), its end is an error.
  void tell(Request request, const Packer& arguments);
  void expect_nothing() { is_asked_ = false; }
  void expect_something() { is_asked_ = true; }
  /// Takes the messages; false: no reply yet.
  bool look();
  /// Sleeps until there is a reply, but not for long.
  void wait() { worker_.wait_at_most(patience_.next()); }
  std::string take_answer();

  /// The report on the run of a worker that ended or was killed.
  const std::optional<RunReport>& end() const { return end_; }
  const RunOutline& outline() const { return outline_; }
  Drain& drain() { return drain_; }
  /// Messages besides rows and log records.
  void when(std::function<void(const execution::Ring::Message&)> other) {
    other_ = std::move(other);
  }
  execution::Monitor& monitor() { return worker_.monitor(); }
  const std::filesystem::path& scratch() const { return host_->scratch(); }

 private:
  void end_with(RunReport report);
  void refuse_program(const std::string& why);
  Clock::time_point started_ = Clock::now();
  std::shared_ptr<WorkerHost> host_;
  execution::Worker& worker_;
  RunControl control_;
  RunOutline outline_;
  Drain drain_;
  Watchdog watchdog_;
  ProgressCaller progress_;
  Patience patience_;
  std::function<void(const execution::Ring::Message&)> other_;
  bool has_served_ = false;  ///< it is a worker of this build
  bool is_asked_ = false;    ///< a reply is pending
  std::optional<RunReport> end_;
};

/// What a worker needs to open a system. @throws Error(capability) for components that cannot run
/// in a worker
Opening opening_for(const System& system, const RunControl& control, const FmuOptions& open,
                    const Log& log, const WorkerCaller& caller);

}  // namespace tutti::session
