// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_outline.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::session {

using execution::Monitor;
namespace {

/// The members that are being called: one, or one of each thread.
std::vector<const Member*> called_members(const RunOutline& outline, const Monitor& monitor) {
  std::vector<const Member*> members;
  for (std::size_t k = 0; k < outline.threads; ++k)
    if (const std::uint64_t c = std::uint64_t{monitor.called[k]} + monitor.first[k];
        c < outline.members.size())
      if (std::find(members.begin(), members.end(), &outline.members[c]) == members.end())
        members.push_back(&outline.members[c]);
  if (members.empty() && !outline.members.empty()) members.push_back(&outline.members.front());
  return members;
}

bool has_started(const Monitor& monitor) {
  return monitor.phase.load() >= Monitor::Phase::stepping;
}

}  // namespace

std::string_view what_it_may_wait_for(const RunOutline& outline, const Monitor& monitor) {
  if (monitor.phase >= Monitor::Phase::stepping) return "";
  const auto members = called_members(outline, monitor);
  return !members.empty() && members.front()->needs_tool
             ? ". It needs an external tool: check its installation and licence."
             : ". It may be waiting for a licence or for another program.";
}

double patience_with(const RunOutline& outline, const Monitor& monitor, double usual) {
  double longest = 0;
  for (const Member* member : called_members(outline, monitor)) {
    const double its = member->timeout.value_or(usual);
    if (its <= 0) return 0;
    longest = std::max(longest, its);
  }
  return longest;
}

RunReport report_for(const RunOutline& outline, const Monitor& monitor, RunEnd::Kind kind,
                     ErrorCode code, const std::string& what, std::string key) {
  RunReport report = outline.report;
  report.end.kind = kind;
  report.end.started = has_started(monitor);
  if (report.end.started) {
    // An FMU may have overwritten this, too.
    const double time = monitor.time;
    if (time >= report.statistics.start && time <= report.statistics.stop) report.end.time = time;
    report.statistics.steps = monitor.steps;
  }
  std::string who;
  const auto members = called_members(outline, monitor);
  if (members.empty()) {
    report.end.error = Error(code, fmt::format("the worker {}", what), {.key = std::move(key)});
    return report;
  }
  for (const Member* member : members)
    who += fmt::format("{}\"{}\"", who.empty() ? "component " : " or ", member->name);
  report.end.error = Error(code, fmt::format("{} {}", who, what),
                           {.component = members.size() == 1 ? members.front()->name : "",
                            .time = report.end.time,
                            .key = std::move(key)});
  return report;
}

bool needs_tool(const ModelDescription& description) {
  const auto needs = [](const std::optional<Capabilities>& interface) {
    return interface && interface->needs_execution_tool;
  };
  return needs(description.co_simulation) || needs(description.model_exchange);
}

}  // namespace tutti::session
