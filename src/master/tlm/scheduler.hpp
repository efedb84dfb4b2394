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
#include "master/tlm/meeting_rows.hpp"

namespace tutti::master::tlm {

/// Of so many threads, the one that leads an island. Neighbours in the system are mostly neighbours
/// here: they get the same one.
inline std::size_t thread_of(std::size_t island, std::size_t islands, std::size_t threads) {
  return island * std::clamp<std::size_t>(threads, 1, islands) / islands;
}

/// Leads islands through time that lines and delayed signals join, each with its own steps.
///
/// An island decides how far its next step goes from what it knows itself, waits until everything
/// that arrives in this step has been sent, steps, and sends. There is no barrier, and results do
/// not depend on which thread is ahead.
///
/// It never stands still (no deadlock): take the island with the smallest time t. Each of its
/// sources j has sent everything up to its own time t_j >= t, so what arrives is known up to
/// t_j + D >= t + D >= t + H, because no step H is longer than the smallest delay D of what
/// arrives. A source of a delayed signal waits only if it is ahead of its target by more than one
/// of its own steps, so the island with the smallest time does not wait for that either.
class Scheduler {
 public:
  struct Member {
    Island* island = nullptr;
    Loop* loop = nullptr;
    std::vector<ComponentPorts*> ports;  ///< those that have any
    double longest_step = 0;
    std::uint32_t first = 0;  ///< components of the system before it, for whoever watches
    bool has_ended = false;   ///< it failed
  };
  /// All islands meet at the points of the grid. Null: ports are not recorded. The calling thread
  /// reports now and then.
  Scheduler(std::vector<Member> members, const TimeGrid& meeting, MeetingRows& rows,
            PortRows* port_rows, std::function<void()> report, unsigned threads, Monitor& monitor);

  /// The values at the start.
  void record_start();
  /// All islands to the target; if one of them ends the run or fails, the others go to the last
  /// point before where all meet. @throws what an island threw; RunAgain, Error
  Loop::End advance(double target);
  /// Where all islands are.
  double time() const { return time_; }
  double next_point() const;
  /// They are at t again, which is such a point.
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
  void meet_after_interruption();
  void run_all(double target);
  double last_meeting(double t) const;

  std::vector<Member> members_;
  std::vector<std::uint64_t> next_meeting_;       ///< by member: number of the point
  std::vector<std::vector<std::size_t>> shares_;  ///< by thread: members
  TimeGrid meeting_;
  Monitor& monitor_;
  MeetingRows& rows_;
  PortRows* port_rows_;
  std::function<void()> report_;
  double time_;
  std::atomic<double> end_{0};
  /// Where an island has failed; -infinity: none has. Others may fail before, or at the same time:
  /// so that the error does not depend on who is ahead, they go on beyond the end until they start
  /// a step behind it, or wait for what will never come.
  std::atomic<double> first_failure_{-infinity};
  std::atomic<std::uint64_t> moves_{0};                 ///< failures, and steps after the first one
  std::vector<std::atomic<std::uint64_t>> seen_moves_;  ///< by thread, when it last moved nothing
  std::atomic<bool> is_interrupted_{false}, is_aborted_{false};
  std::atomic<std::size_t> others_at_work_{0};  ///< threads besides the calling one
  std::mutex mutex_;                            ///< of what follows
  double failed_at_ = 0;
  std::size_t failed_ = 0;  ///< the island; of several at one time, the first
  std::exception_ptr failure_;
  bool is_terminated_ = false;
  std::unique_ptr<execution::ThreadTeam> team_;
};

}  // namespace tutti::master::tlm
