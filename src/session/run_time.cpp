// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/time_grid.hpp"
#include "master/stepping/controllers.hpp"

namespace tutti::session {
namespace {

constexpr double default_step_count = 500;
constexpr double most_steps = 1e15;
constexpr double most_logarithmic_points = 1e7;

template <typename... Arguments>
[[noreturn]] void refuse(const char* key, fmt::format_string<Arguments...> text,
                         Arguments&&... arguments) {
  throw Error(ErrorCode::usage, fmt::format(text, std::forward<Arguments>(arguments)...),
              {.key = key});
}

struct Span {
  double start, stop;
  double length() const { return stop - start; }
};

Span resolve_span(const TimeSettings& options, const DefaultExperiment& experiment) {
  Span span{};
  span.start = options.start.value_or(experiment.start.value_or(0));
  // A default stop time before the user's start time is ignored.
  const std::optional<double> stop =
      experiment.stop && *experiment.stop > span.start ? experiment.stop : std::nullopt;
  span.stop = options.stop.value_or(stop.value_or(span.start + 1));
  if (!std::isfinite(span.start) || !std::isfinite(span.stop))
    refuse("simulation.stop", "start and stop time must be finite");
  if (span.stop <= span.start)
    refuse("simulation.stop", "the stop time {} is not after the start time {}", span.stop,
           span.start);
  return span;
}

/// A fixed step, and the number of steps between recorded points.
struct Steps {
  double step;
  std::uint64_t record_every = 1;
};

Steps resolve_steps(const TimeSettings& options, const DefaultExperiment& experiment,
                    const Span& span) {
  const double natural = experiment.step && *experiment.step > 0
                             ? *experiment.step
                             : span.length() / default_step_count;
  Steps steps{options.step.value_or(natural)};
  if (options.interval) {
    const double interval = *options.interval;
    if (!(interval > 0) || !std::isfinite(interval))
      refuse("results.interval", "the interval {} is not positive", interval);
    // Without a user-defined step, take the longest one that divides the interval.
    if (!options.step) steps.step = interval / std::ceil(interval / natural - 1e-9);
    const double ratio = interval / steps.step;
    if (std::abs(ratio - std::round(ratio)) > 1e-9 * ratio || std::round(ratio) < 1)
      refuse("results.interval",
             "the interval {} is not a multiple of the step {}. Try {:.12g} or {:.12g}.", interval,
             steps.step, steps.step * std::max(1.0, std::floor(ratio)),
             steps.step * std::ceil(ratio));
    steps.record_every = static_cast<std::uint64_t>(std::llround(ratio));
  }
  if (!(steps.step > 0) || !std::isfinite(steps.step))
    refuse("simulation.step", "the step {} is not positive", steps.step);
  if (span.length() / steps.step > most_steps)
    refuse("simulation.step", "a step of {} over {:.13g} s is too short for time to advance",
           steps.step, span.length());
  if (const double shortest = shortest_step(span.start, span.stop); steps.step < shortest)
    refuse("simulation.step",
           "a step of {} s is too short for time to advance at t = {:.13g} s, where doubles are "
           "{:.1g} s apart: at least {:.3g} s are needed",
           steps.step, span.stop, std::nextafter(span.stop, span.stop + 1) - span.stop, shortest);
  return steps;
}

TimeGrid logarithmic_grid(const TimeSettings& options, const Span& span) {
  const double first = options.first.value_or(span.start), per_decade = *options.per_decade;
  if (options.step || options.interval)
    refuse("simulation.step", "use either logarithmic points, or %key% and an interval");
  if (!(per_decade > 0) || !std::isfinite(per_decade))
    refuse("per-decade", "the number of points per decade, {}, is not positive", per_decade);
  if (!(first > 0) || first < span.start || first >= span.stop)
    refuse("first",
           "logarithmic points need a positive first point in [{}, {}), not {}. Set %key%.",
           span.start, span.stop, first);
  if (std::log10(span.stop / first) * per_decade > most_logarithmic_points)
    refuse("per-decade", "{} points per decade are too many", per_decade);
  return TimeGrid::logarithmic(span.start, first, span.stop, per_decade);
}

TimeGrid given_grid(const TimeSettings& options) {
  const std::vector<double>& points = options.points;
  if (options.start || options.stop || options.step || options.interval || options.per_decade)
    refuse("points", "with a list of communication points, start, stop and step cannot be set");
  const bool rising = points.size() > 1 &&
                      std::is_sorted(points.begin(), points.end(), std::less_equal<>()) &&
                      std::isfinite(points.front()) && std::isfinite(points.back());
  if (!rising)
    refuse("points", "there must be at least two communication points, in ascending order");
  return TimeGrid::through(points);
}

}  // namespace

TimeSettings::TimeSettings(const System& system)
    : start(system.simulation.start),
      stop(system.simulation.stop),
      step(system.simulation.step),
      per_decade(system.simulation.per_decade),
      first(system.simulation.first),
      points(system.simulation.points) {
  // With lines, rows are those of synchronization points.
  const bool has_lines = !system.tlm.empty() || !system.delays.empty();
  if (has_lines || !master::is_free(system.simulation.control)) interval = system.results.interval;
}

void resolve_time(const TimeSettings& options, const DefaultExperiment& experiment,
                  RunSetup& setup) {
  if (!options.points.empty()) {
    setup.time.grid = given_grid(options);
    setup.step = setup.time.grid.step(0);
    return;
  }
  const Span span = resolve_span(options, experiment);
  if (options.first && !options.per_decade) refuse("per-decade", "a first point requires %key%");
  if (options.per_decade) {
    setup.time.grid = logarithmic_grid(options, span);
    setup.step = setup.time.grid.step(0);
  } else {
    const Steps steps = resolve_steps(options, experiment, span);
    setup.time.grid = TimeGrid(span.start, span.stop, steps.step);
    setup.time.record_every = steps.record_every;
    setup.step = steps.step;
  }
}

}  // namespace tutti::session
