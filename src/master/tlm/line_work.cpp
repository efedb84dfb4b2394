// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/line_work.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tutti::master::tlm {
namespace {

constexpr double allowed_ratio = 0.25;  // of work to energy
constexpr double delays_at_start = 10;  // the first waves are no state of the line yet
constexpr int alarming_doublings = 3;

}  // namespace

void LineWork::add(double t, std::size_t direction, const Sample& sample) {
  if (sample.quarter == 0) return;
  Last& last = last_[direction];
  const double density = sample.wave * sample.wave * sample.quarter;
  const double power = density - sample.arriving * sample.arriving * sample.quarter;
  if (has_last_) {
    const double half = (t - last_time_) / 2;
    work_ += half *
             (last.power + power - sample.effort_before * last.flow - sample.effort * sample.flow);
    sent_ += half * (last.density + density);
  }
  last = {power, density, sample.flow};
}

void LineWork::end_sample(double t) {
  if (!has_last_) period_start_ = t;
  has_last_ = true;
  last_time_ = t;
  const double passed = t - period_start_;
  if (passed < delay_) return;
  energy_ = (sent_ - sent_at_period_) * delay_ / passed;
  period_start_ = t;
  sent_at_period_ = sent_;
}

std::optional<LineWork::Finding> LineWork::judge(double t, double other_work, double other_energy) {
  const double work = work_ + other_work, energy = energy_ + other_energy;
  largest_ = std::max(largest_, energy);
  if (!has_wave_ && energy > 0) {
    has_wave_ = true;
    first_wave_ = t;
  }
  if (is_reported_ || !has_wave_ || !std::isfinite(work)) return {};
  if (t >= next_look_) {
    doublings_ = work > largest_ && work > 2 * seen_ ? doublings_ + 1 : 0;
    seen_ = work;
    next_look_ = t + delay_ * (1 - 1e-9);  // the next check is not a sample later by rounding
  }
  const bool is_settled = t >= first_wave_ + delays_at_start * delay_;
  is_reported_ =
      doublings_ >= alarming_doublings || (is_settled && work > allowed_ratio * largest_);
  if (!is_reported_) return {};
  return Finding{t, work / largest_};
}

void LineWork::keep(Memory& memory) {
  memory(work_, energy_, sent_, period_start_, sent_at_period_, last_time_, has_last_);
  for (Last& last : last_) memory(last);
  memory(largest_, first_wave_, has_wave_, next_look_, seen_, doublings_, is_reported_);
}

void LineFindings::add(std::size_t line, const LineWork::Finding& finding) {
  const std::lock_guard lock(mutex_);
  found_.push_back({line, finding});
  is_empty_ = false;
}

std::vector<LineFindings::Found> LineFindings::take() {
  if (is_empty_.load(std::memory_order_relaxed)) return {};
  const std::lock_guard lock(mutex_);
  is_empty_ = true;
  return std::exchange(found_, {});
}

}  // namespace tutti::master::tlm
