// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <tutti/error.hpp>
#include <tutti/integrate.hpp>

#include "base/infinity.hpp"

namespace tutti {
namespace {

using Clock = std::chrono::steady_clock;

/// Stores results: at requested points, every step, both sides of events.
class Results {
 public:
  Results(const OdeOutput& output, OdeSolution& solution, double sign)
      : output_(output),
        solution_(solution),
        sign_(sign),
        row_(solution.y.size()),
        slopes_(solution.yp.size()) {}

  /// The start.
  void begin(const Integration& at) {
    if (output_.points.empty() || is_next_point(at.time()))
      put(at.time(), at.states(), at.derivatives());
    if (is_next_point(at.time())) ++next_;
  }

  /// Stores the points in the last step.
  void take(Integration& at, const OdePoint& point) {
    const bool is_event =
        point.kind == OdePoint::Kind::event || point.kind == OdePoint::Kind::stopped;
    while (next_ < output_.points.size() && sign_ * output_.points[next_] <= sign_ * point.t) {
      const double t = output_.points[next_++];
      if (t == point.t && is_event && output_.at_events) break;
      if (t == point.t && !is_event) {
        put(t, at.states(), at.derivatives());
      } else {
        put_between(at, t);
      }
    }
    if (!is_event) {
      if (output_.points.empty()) put(point.t, at.states(), at.derivatives());
    } else if (output_.at_events) {
      put_between(at, point.t);
      put(point.t, at.states(), at.derivatives());
    } else if (output_.points.empty()) {
      put(point.t, at.states(), at.derivatives());
    }
  }

 private:
  bool is_next_point(double t) const {
    return next_ < output_.points.size() && output_.points[next_] == t;
  }
  void put_between(Integration& at, double t) {
    at.interpolate(t, row_);
    if (!slopes_.empty()) at.interpolate_derivative(t, slopes_);
    put(t, row_, slopes_);
  }
  void put(double t, std::span<const double> y, std::span<const double> yp) {
    if (output_.receive) {
      output_.receive(t, y, yp);
      return;
    }
    solution_.times.push_back(t);
    solution_.states.insert(solution_.states.end(), y.begin(), y.end());
  }

  const OdeOutput& output_;
  OdeSolution& solution_;
  double sign_;
  std::size_t next_ = 0;
  std::vector<double> row_, slopes_;
};

void check_interval(double t0, double t1, const OdeOutput& output) {
  const auto refuse = [](std::string text, std::string key) {
    throw Error(ErrorCode::usage, std::move(text), {.key = std::move(key)});
  };
  if (!std::isfinite(t0) || !std::isfinite(t1))
    refuse(fmt::format("the interval from {} to {} is not finite", t0, t1), "t1");
  if (!(output.time_limit >= 0)) refuse("time_limit must not be negative", "time_limit");
  const double sign = t1 < t0 ? -1 : 1;
  double before = t0;
  for (const double point : output.points) {
    if (!(sign * point >= sign * before && sign * point <= sign * t1))
      refuse(fmt::format("points must lie between {} and {}, in the direction of time; found {} "
                         "after {}",
                         t0, t1, point, before),
             "points");
    before = point;
  }
}

}  // namespace

OdeSolution integrate(OdeProblem& problem, double t0, const std::vector<double>& y0, double t1,
                      const OdeSettings& settings, const OdeOutput& output,
                      const std::vector<double>& yp0) {
  const bool backward = t1 < t0;
  check_interval(t0, t1, output);
  Integration integration(problem, settings, backward);
  integration.start(t0, y0, yp0);
  OdeSolution solution;
  solution.y = y0;
  solution.yp.resize(integration.derivatives().size());
  Results results(output, solution, backward ? -1 : 1);
  results.begin(integration);
  const auto begun = Clock::now();
  const std::chrono::duration<double> limit(output.time_limit);
  while (integration.time() != t1) {
    const double from = integration.time();
    const OdePoint point = integration.step(t1);
    if (output.dense && point.t != from)
      solution.dense.add_step(integration, from, point.t, y0.size());
    results.take(integration, point);
    if (point.kind == OdePoint::Kind::event || point.kind == OdePoint::Kind::stopped)
      solution.events.push_back(integration.last_event());
    const bool goes_on = !output.progress || output.progress(point.t);
    if (point.kind == OdePoint::Kind::stopped) {
      solution.end = OdeSolution::End::stopped;
      break;
    }
    if (!goes_on) {
      solution.end = OdeSolution::End::interrupted;
      break;
    }
    if (output.time_limit < infinity && Clock::now() - begun > limit) {
      solution.end = OdeSolution::End::time_limit;
      break;
    }
  }
  solution.t = integration.time();
  solution.y.assign(integration.states().begin(), integration.states().end());
  solution.yp.assign(integration.derivatives().begin(), integration.derivatives().end());
  solution.event_counts = integration.event_counts();
  solution.statistics = integration.statistics();
  solution.diagnosis = integration.diagnosis();
  solution.solver_note = integration.solver_note();
  solution.warnings = integration.warnings();
  return solution;
}

OdeSolution integrate(OdeFunctions functions, double t0, const std::vector<double>& y0, double t1,
                      const OdeSettings& settings, const OdeOutput& output,
                      const std::vector<double>& yp0) {
  functions.size = y0.size();
  const std::unique_ptr<OdeProblem> problem = make_problem(std::move(functions));
  return integrate(*problem, t0, y0, t1, settings, output, yp0);
}

}  // namespace tutti
