// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/line_work.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tutti::master::tlm {
namespace {

constexpr double allowed_ratio = 0.25;  // of work to energy
constexpr double delays_at_start = 10;  // the first waves are not yet a state of the line

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

void LineWork::judge(double t, double other_work, double other_energy) {
  const double work = work_ + other_work, energy = energy_ + other_energy;
  largest_ = std::max(largest_, energy);
  if (!has_wave_ && energy > 0) {
    has_wave_ = true;
    first_wave_ = t;
  }
  if (is_reported_ || !has_wave_ || t < first_wave_ + delays_at_start * delay_) return;
  if (!(work > allowed_ratio * largest_) || !std::isfinite(work)) return;
  is_reported_ = true;
  finding_ = Finding{t, work / largest_};
}

std::optional<LineWork::Finding> LineWork::take_finding() {
  return std::exchange(finding_, std::nullopt);
}

void LineWork::keep(Memory& memory) {
  memory(work_, energy_, sent_, period_start_, sent_at_period_, last_time_, has_last_);
  for (Last& last : last_) memory(last);
  memory(largest_, first_wave_, has_wave_, is_reported_);
}

}  // namespace tutti::master::tlm
