// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/infinity.hpp"
#include "base/time_grid.hpp"
#include "execution/thread_team.hpp"
#include "master/loop.hpp"
#include "master/tlm/component_ports.hpp"
#include "master/tlm/sync_rows.hpp"

namespace tutti::master::tlm {

/// The thread that runs an island. Neighbours in the system usually have neighbouring numbers: they
/// get the same thread.
inline std::size_t thread_of(std::size_t island, std::size_t islands, std::size_t threads) {
  return island * std::clamp<std::size_t>(threads, 1, islands) / islands;
}

/// Simulates islands that lines and delayed signals join, each with its own steps.
///
/// An island chooses its next step from its own data, waits until everything that arrives in this
/// step has been sent, steps, and sends. There is no barrier, and results do not depend on which
/// thread is ahead.
///
/// No deadlock: take the island with the smallest time t. Each of its sources j has sent everything
/// up to its own time t_j >= t, so what arrives is known up to
/// t_j + D >= t + D >= t + H, because no step H is longer than the smallest delay D of what
/// arrives. A source of a delayed signal waits only if it is ahead of its target by more than one
/// of its own steps, so the island with the smallest time does not wait for that either.
class Scheduler {
 public:
  struct Member {
    Island* island = nullptr;
    Loop* loop = nullptr;
    std::vector<ComponentPorts*> ports;  ///< those with lines or signals
    double longest_step = 0;
    std::uint32_t first = 0;  ///< number of components before it in the system, for the monitor
    bool has_ended = false;   ///< it failed
  };
  /// All islands synchronize at the points of the grid. Null: ports are not recorded. The calling
  /// thread reports at intervals.
  Scheduler(std::vector<Member> members, const TimeGrid& sync_grid, SyncRows& rows,
            PortRows* port_rows, std::function<void()> report, unsigned threads, Monitor& monitor);

  /// Records the values at the start.
  void record_start();
  /// Advances all islands to the target; if one of them ends the run or fails, the others advance
  /// to the last synchronization point before. @throws the exception of an island; RunAgain, Error
  Loop::End advance(double target);
  /// The time of all islands.
  double time() const { return time_; }
  double next_point() const;
  /// They are at t again, a synchronization point.
  void restored(double t);

 private:
  enum class Progress : std::uint8_t { stepped, waits, is_there };
  struct Pass {
    bool moved = false, all_there = true;
  };

  void work(unsigned thread);
  Pass pass_by_blocks(unsigned thread, bool shifted);
  Pass pass(std::span<const std::size_t> members, unsigned thread);
  void deliver();
  Progress step(std::size_t number, double until, unsigned thread);
  void end_at(double t);
  void fail(double t, std::size_t number, std::exception_ptr error);
  bool has_failed() const { return first_failure_ > -infinity; }
  bool is_stuck(unsigned thread, std::uint64_t moves);
  void synchronize_after_interruption();
  void run_all(double target);
  double last_sync(double t) const;

  std::vector<Member> members_;
  std::vector<std::uint64_t> next_sync_;          ///< by member: number of the point
  std::vector<std::vector<std::size_t>> shares_;  ///< by thread: members
  TimeGrid sync_grid_;
  Monitor& monitor_;
  SyncRows& rows_;
  PortRows* port_rows_;
  std::function<void()> report_;
  double time_;
  std::atomic<double> end_{0};
  /// The time at which an island has failed; -infinity: none has. Others may fail earlier, or at
  /// the same time: so that the error does not depend on which thread is ahead, they continue
  /// beyond the end until they start a later step, or wait for samples that never arrive.
  std::atomic<double> first_failure_{-infinity};
  std::atomic<std::uint64_t> moves_{0};  ///< failures, and steps after the first failure
  std::vector<std::atomic<std::uint64_t>>
      seen_moves_;  ///< by thread, at its last pass without a move
  std::atomic<bool> is_interrupted_{false}, is_aborted_{false};
  std::atomic<std::size_t> others_at_work_{0};  ///< threads besides the calling one
  std::mutex mutex_;                            ///< protects the members below
  double failed_at_ = 0;
  std::size_t failed_ = 0;  ///< the island; of several at one time, the lowest
  std::exception_ptr failure_;
  bool is_terminated_ = false;
  std::unique_ptr<execution::ThreadTeam> team_;
};

}  // namespace tutti::master::tlm
