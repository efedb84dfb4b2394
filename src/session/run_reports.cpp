// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_reports.hpp"
#include "master/stepping/controllers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::session {

using master::Monitor;

namespace {

/// The members that are being called: one, or one of each thread.
std::vector<const RunSetup::Member*> called_members(const RunSetup& setup, const Monitor& monitor) {
  std::vector<const RunSetup::Member*> members;
  for (std::size_t k = 0; k < setup.threads; ++k)
    if (const std::uint32_t c = monitor.called[k].load(); c < setup.members.size())
      if (std::find(members.begin(), members.end(), &setup.members[c]) == members.end())
        members.push_back(&setup.members[c]);
  if (members.empty()) members.push_back(&setup.members.front());
  return members;
}

bool has_started(const Monitor& monitor) {
  return monitor.phase.load() >= Monitor::Phase::stepping;
}

}  // namespace

RunReport empty_report(const RunSetup& setup) {
  RunReport report;
  report.statistics.model = setup.model;
  report.statistics.version = setup.version;
  report.statistics.initial_evaluations = setup.initial_evaluations;
  report.statistics.start = setup.time.grid.start();
  report.statistics.stop = setup.time.grid.stop();
  report.statistics.step = setup.time.grid.is_uniform() ? setup.step : 0;
  report.end.time = setup.time.grid.start();
  report.end.started = false;
  return report;
}

std::string_view what_it_may_wait_for(const RunSetup& setup, const Monitor& monitor) {
  if (monitor.phase >= Monitor::Phase::stepping) return "";
  return called_members(setup, monitor).front()->needs_tool
             ? ". It needs an external tool: is it installed, and its licence at hand?"
             : ". Perhaps it waits for a licence or for another program.";
}

double patience_with(const RunSetup& setup, const Monitor& monitor, double usual) {
  double longest = 0;
  for (const RunSetup::Member* member : called_members(setup, monitor)) {
    const double its = member->timeout.value_or(usual);
    if (its <= 0) return 0;
    longest = std::max(longest, its);
  }
  return longest;
}

RunReport report_for(const RunSetup& setup, const Monitor& monitor, RunEnd::Kind kind,
                     ErrorCode code, const std::string& what, std::string key) {
  RunReport report = empty_report(setup);
  report.end.kind = kind;
  report.end.started = has_started(monitor);
  report.end.time = report.end.started ? monitor.time.load() : setup.time.grid.start();
  // It cannot tell how many steps it took; this is how many lead so far.
  const TimeGrid& grid = setup.time.grid;
  const std::uint64_t beyond = grid.first_point_from(report.end.time);
  report.statistics.steps = beyond - (beyond > 0 && grid.point(beyond) > report.end.time ? 1 : 0);
  std::string who;
  const auto members = called_members(setup, monitor);
  for (const RunSetup::Member* member : members)
    who += fmt::format("{}\"{}\"", who.empty() ? "component " : " or ", member->name);
  report.end.error = Error(code, fmt::format("{} {}", who, what),
                           {.component = members.size() == 1 ? members.front()->name : "",
                            .time = report.end.time,
                            .key = std::move(key)});
  return report;
}

RunReport completed(RunReport report, RunSetup& setup) {
  report.statistics.model_exchange = setup.model_exchange;
  report.statistics.automatic = setup.automatic;
  report.statistics.tolerance = setup.time.tolerance;
  report.statistics.controlled = master::step_control_of(setup.time.control).chooses_steps;
  report.statistics.component_count = setup.members.size();
  report.columns = std::move(setup.columns);
  return report;
}

}  // namespace tutti::session
