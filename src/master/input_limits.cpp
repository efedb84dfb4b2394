// SPDX-License-Identifier: BSD-2-Clause
#include "master/input_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "master/stepping/controllers.hpp"

namespace tutti::master {

InputLimits::InputLimits(const ControlSettings& settings, std::vector<Signal> signals,
                         const Log& log)
    : signals_(std::move(signals)),
      tolerance_{settings.atol, settings.rtol},
      sees_constants_(!step_control_of(settings).predicts_inputs),
      stops_at_min_(settings.at_min == OnLimit::stop),
      log_(&log) {}

double InputLimits::end_of_step(double t, double end, double min) {
  for (const Signal& signal : signals_)
    end = models::straight_until(signal.table->line_of(signal.input), t, end, tolerance_);
  if (sees_constants_) return end;
  const double straight = end;
  const Signal* worst = nullptr;
  for (const Signal& signal : signals_) {
    if (signal.received == Received::line) continue;
    const double limit = limit_of_constant(signal, t, end);
    if (limit < end) worst = &signal;
    end = std::min(end, limit);
  }
  if (worst == nullptr || end - t >= min) return end;
  refuse(*worst, t, end - t, min);
  return std::min(straight, t + min);
}

double InputLimits::limit_of_constant(const Signal& signal, double t, double end) const {
  const models::PiecewiseLine line = signal.table->line_of(signal.input);
  const double start = line.from(t), last = line.until(end);
  const double slope = std::abs(last - start) / (end - t);
  if (slope == 0) return end;
  const double allowed =
      tolerance_.atol + tolerance_.rtol * std::max(std::abs(start), std::abs(last));
  if (signal.received == Received::start && signal.feeds_through)
    return std::min(end, t + allowed / slope);
  double h = 2 * allowed / slope;
  if (signal.received == Received::middle && !signal.feeds_through)
    h = std::max(h, std::sqrt(12 * allowed / (signal.rate * slope)));
  return std::min(end, t + h);
}

void InputLimits::refuse(const Signal& signal, double t, double h, double min) {
  const std::string what = fmt::format(
      "the table of {} changes so fast that its component, which receives constant values, needs "
      "steps of {:.3g} s, and the smallest is {:.3g} s",
      signal.name, h, min);
  const Error error(
      ErrorCode::numeric, what,
      {.time = t,
       .key = "simulation.control.min",
       .hint = fmt::format("Try a smaller %key%, a larger tolerance, or simulation.inputs.inside = "
                           "\"linear\" if the FMU takes input derivatives{}.",
                           stops_at_min_ ? ", or control.at-min = \"continue\"" : "")});
  if (stops_at_min_) throw Error(error);
  if (!has_warned_) log_->warning("", error.what());
  has_warned_ = true;
}

}  // namespace tutti::master
