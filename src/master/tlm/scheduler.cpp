// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/scheduler.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <utility>

#include "base/time_grid.hpp"

namespace tutti::master::tlm {
namespace {

// No numbers of moves.
constexpr auto not_seen = std::numeric_limits<std::uint64_t>::max(), has_returned = not_seen - 1;

/// Waits a little longer each time, while others work.
class Patience {
 public:
  void reset() { tries_ = 0; }
  void wait() {
    constexpr int spins = 200, yields = 2000;
    if (++tries_ < spins) {
      __builtin_ia32_pause();
    } else if (tries_ < yields) {
      sched_yield();
    } else {
      const timespec nap{0, 50'000};
      nanosleep(&nap, nullptr);
    }
  }

 private:
  int tries_ = 0;
};

}  // namespace

Scheduler::Scheduler(std::vector<Member> members, const TimeGrid& sync_grid, SyncRows& rows,
                     PortRows* port_rows, std::function<void()> report, unsigned threads,
                     Monitor& monitor)
    : members_(std::move(members)),
      next_sync_(members_.size(), 1),
      sync_grid_(sync_grid),
      monitor_(monitor),
      rows_(rows),
      port_rows_(port_rows),
      report_(std::move(report)),
      time_(sync_grid.start()) {
  threads = std::clamp<unsigned>(threads, 1, static_cast<unsigned>(members_.size()));
  shares_.resize(threads);
  seen_moves_ = std::vector<std::atomic<std::uint64_t>>(threads);
  for (std::size_t i = 0; i < members_.size(); ++i)
    shares_[thread_of(i, members_.size(), threads)].push_back(i);
  if (threads > 1) team_ = std::make_unique<execution::ThreadTeam>(threads);
}

void Scheduler::record_start() {
  for (std::size_t i = 0; i < members_.size(); ++i) rows_.deposit(i, 0);
  rows_.deliver();
}

double Scheduler::next_point() const {
  return sync_grid_.point(sync_grid_.first_point_from(
      std::nextafter(time_ + same_time(time_, sync_grid_.step(0)), infinity)));
}

double Scheduler::last_sync(double t) const {
  const double near = same_time(t, sync_grid_.step(0));
  const std::uint64_t n = sync_grid_.first_point_from(t + near);
  return sync_grid_.point(n) <= t + near || n == 0 ? sync_grid_.point(n) : sync_grid_.point(n - 1);
}

Scheduler::Progress Scheduler::step(std::size_t number, double until, unsigned thread) {
  Member& member = members_[number];
  const double t = member.loop->time();
  // The grids of islands contain the synchronization points, but for rounding.
  const double near = same_time(t, member.longest_step);
  const bool is_behind_end = t >= until - near;
  if (is_behind_end && t > first_failure_) return Progress::is_there;
  const double sync_time = sync_grid_.point(next_sync_[number]);
  const double limit = is_behind_end ? sync_time : std::min(until, sync_time);
  Horizon horizon;
  for (const ComponentPorts* const ports : member.ports) ports->limit(horizon);
  const double point = member.loop->next_point();
  const bool is_single = point == infinity;
  double end = is_single ? t + member.longest_step : point;
  if (end > limit + near || (is_single && end > limit - near)) end = limit;
  if (t > horizon.starts || end > horizon.ends) return Progress::waits;
  // Islands do not wait for samples of a failed island.
  if (port_rows_ != nullptr && !has_failed() && port_rows_->must_wait(t)) return Progress::waits;
  // Steps of a grid do not depend on the number per call. Adaptive steps are chosen by the island,
  // one by one.
  if (end == point)
    end = member.loop->last_point(horizon.starts, std::min(limit + near, horizon.ends), end);
  monitor_.first[thread].store(member.first, std::memory_order_relaxed);
  const Loop::End ended = member.loop->advance(end, is_single);
  if (ended == Loop::End::interrupted) {
    is_interrupted_ = true;
    return Progress::is_there;
  }
  const double reached = member.loop->time();
  for (ComponentPorts* const ports : member.ports) ports->publish(reached);
  if (reached >= sync_time - near) rows_.deposit(number, next_sync_[number]++);
  if (ended == Loop::End::terminated) {
    const std::lock_guard lock(mutex_);
    is_terminated_ = true;
    first_failure_ = -infinity;
    end_at(reached);
    return Progress::is_there;
  }
  return Progress::stepped;
}

/// The others advance to the last synchronization point before.
void Scheduler::end_at(double t) {
  const double sync_time = last_sync(t);
  if (sync_time < end_.load()) end_ = sync_time;
}

void Scheduler::fail(double t, std::size_t number, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (!failure_ || std::pair(t, number) < std::pair(failed_at_, failed_)) {
    failure_ = std::move(error);
    failed_at_ = t;
    failed_ = number;
    if (!is_terminated_) first_failure_ = t;
  }
  ++moves_;
  end_at(t);
}

/// No island can move any more: since each thread started a pass without a move, no other thread
/// has moved an island either. @param moves at the start of the last pass of this thread
bool Scheduler::is_stuck(unsigned thread, std::uint64_t moves) {
  seen_moves_[thread] = moves;
  return std::ranges::all_of(seen_moves_, [&](const std::atomic<std::uint64_t>& seen) {
    return seen == moves_ || seen == has_returned;
  });
}

/// Advances all of these as far as possible. The calling thread delivers complete rows.
Scheduler::Pass Scheduler::pass(std::span<const std::size_t> members, unsigned thread) {
  Pass pass;
  for (const std::size_t i : members) {
    Member& member = members_[i];
    if (member.has_ended) continue;
    try {
      Progress progress = Progress::stepped;
      while (progress == Progress::stepped && !is_interrupted_) {
        progress = step(i, end_.load(), thread);
        if (progress == Progress::stepped && has_failed()) ++moves_;
        pass.moved |= progress == Progress::stepped;
      }
      pass.all_there &= progress != Progress::waits;
    } catch (...) {
      member.has_ended = true;
      fail(member.loop->time(), i, std::current_exception());
    }
  }
  if (thread != 0) return pass;
  try {
    deliver();
  } catch (...) {
    fail(-infinity, 0, std::current_exception());
    is_aborted_ = true;
  }
  return pass;
}

/// Advances blocks of neighbours in sequence, each as far as the others allow: the members of a
/// block stay in the cache while they advance by many delays, those in the middle furthest. The
/// next time, blocks start in the middle of these, so that the islands behind get ahead ("diamond
/// tiling" of loops over grids).
Scheduler::Pass Scheduler::pass_by_blocks(unsigned thread, bool shifted) {
  constexpr std::size_t block_size = 64;
  const std::span<const std::size_t> share = shares_[thread];
  Pass all;
  for (std::size_t first = 0, last = 0; first < share.size(); first = last) {
    last = std::min(share.size(), first + (shifted && first == 0 ? block_size / 2 : block_size));
    Pass block;
    do {
      block = pass(share.subspan(first, last - first), thread);
      all.moved |= block.moved;
    } while (block.moved && !is_interrupted_ && !is_aborted_);
    all.all_there &= block.all_there;
  }
  return all;
}

void Scheduler::work(unsigned thread) {
  Patience patience;
  for (const std::size_t i : shares_[thread]) members_[i].has_ended = false;
  for (bool shifted = false;; shifted = !shifted) {
    const std::uint64_t moves = moves_;
    auto [moved, all_there] = pass_by_blocks(thread, shifted);
    // The calling thread delivers rows until the others have arrived.
    all_there &= thread != 0 || others_at_work_ == 0;
    if (all_there || is_interrupted_ || is_aborted_) break;
    // Others may wait for samples that a failed island has not sent.
    if (!moved && has_failed() && is_stuck(thread, moves) && (thread != 0 || others_at_work_ == 0))
      break;
    if (moved)
      patience.reset();
    else
      patience.wait();
  }
  seen_moves_[thread] = has_returned;
}

/// In the calling thread.
void Scheduler::deliver() {
  rows_.deliver();
  if (port_rows_ != nullptr) port_rows_->deliver();
  report_();
}

void Scheduler::run_all(double target) {
  end_ = target;
  others_at_work_ = shares_.size() - 1;
  for (std::atomic<std::uint64_t>& seen : seen_moves_) seen = not_seen;
  if (!team_) return work(0);
  team_->run([&](unsigned k) {
    work(k);
    if (k > 0) --others_at_work_;
  });
}

/// A run cannot continue from islands at different times, so all advance to one point.
void Scheduler::synchronize_after_interruption() {
  double latest = time_;
  for (const Member& member : members_) latest = std::max(latest, member.loop->time());
  const double sync_time = sync_grid_.point(sync_grid_.first_point_from(latest));
  monitor_.stop_requested = false;
  is_interrupted_ = false;
  run_all(std::max(sync_time, time_));
  monitor_.stop_requested = failure_ == nullptr;  // otherwise the request would stay set
}

Loop::End Scheduler::advance(double target) {
  failure_ = nullptr;
  first_failure_ = -infinity;
  is_terminated_ = is_interrupted_ = is_aborted_ = false;
  run_all(target);
  const bool was_interrupted = is_interrupted_ && !failure_ && !is_terminated_;
  if (was_interrupted) synchronize_after_interruption();
  if (!is_aborted_) deliver();
  time_ = end_;
  for (const Member& member : members_)
    if (member.loop->time() < time_ - same_time(time_, member.longest_step))
      time_ = member.loop->time();
  if (failure_) std::rethrow_exception(failure_);
  if (is_terminated_) return Loop::End::terminated;
  return was_interrupted ? Loop::End::interrupted : Loop::End::reached;
}

void Scheduler::restored(double t) {
  time_ = t;
  const std::uint64_t point = sync_grid_.first_point_from(t - same_time(t, sync_grid_.step(0)));
  std::fill(next_sync_.begin(), next_sync_.end(), point + 1);
  rows_.rewind(point);
}

}  // namespace tutti::master::tlm
