// SPDX-License-Identifier: BSD-2-Clause
#include "session/wire.hpp"

#include "session/packer.hpp"

namespace tutti::session {
namespace {

/// The numbers of the statistics, in one place for both directions.
template <typename Statistics, typename Action>
void for_each_number(Statistics& s, Action action) {
  action(s.start), action(s.stop), action(s.step), action(s.steps);
  action(s.rows), action(s.do_step), action(s.get), action(s.set), action(s.event_updates);
  action(s.warnings), action(s.load_seconds), action(s.initialize_seconds), action(s.step_seconds);
  action(s.output_seconds), action(s.method_seconds), action(s.threads);
  action(s.convergence_failures), action(s.error_test_failures), action(s.accepted_at_min);
  action(s.initial_evaluations);
  action(s.accepted_without_rollback);
}

template <typename Statistics, typename Action>
void for_each_call_count(Statistics& s, Action action) {
  action(s.do_step), action(s.get), action(s.set), action(s.get_state), action(s.set_state);
  action(s.event_updates), action(s.seconds);
}

template <typename Statistics, typename Action>
void for_each_cycle_number(Statistics& s, Action action) {
  action(s.steps), action(s.iterations), action(s.limit_hits), action(s.fallbacks);
}

template <typename Statistics, typename Action>
void for_each_solver_number(Statistics& s, Action action) {
  action(s.steps), action(s.evaluations), action(s.jacobians), action(s.jacobian_evaluations);
  action(s.error_test_failures), action(s.convergence_failures), action(s.root_evaluations);
  action(s.state_events), action(s.time_events), action(s.step_events), action(s.input_events);
  action(s.chattering);
}

void pack_solver(Packer& packer, const std::optional<SolverStatistics>& solver) {
  packer.value(solver.has_value());
  if (!solver) return;
  packer.text(solver->name);
  for_each_solver_number(*solver, [&](const auto& number) { packer.value(number); });
}

std::optional<SolverStatistics> unpack_solver(Unpacker& unpacker) {
  if (!unpacker.value<bool>()) return {};
  SolverStatistics solver;
  solver.name = unpacker.text();
  for_each_solver_number(solver, [&](auto& number) {
    number = unpacker.value<std::remove_reference_t<decltype(number)>>();
  });
  return solver;
}

void pack_error(Packer& packer, const Error& error) {
  const ErrorRecord& record = error.record();
  packer.value(record.code);
  packer.text(record.message);
  packer.text(record.text);
  for_each_field(record.details, [&](const char*, const auto& field) {
    if constexpr (requires { field.size(); })
      packer.text(field);
    else
      packer.value(field);
  });
}

Error unpack_error(Unpacker& unpacker) {
  ErrorRecord record{
      unpacker.value<ErrorCode>(), std::string(unpacker.text()), std::string(unpacker.text()), {}};
  for_each_field(record.details, [&](const char*, auto& field) {
    if constexpr (requires { field.size(); })
      field = unpacker.text();
    else
      field = unpacker.value<std::remove_reference_t<decltype(field)>>();
  });
  return Error(std::move(record));
}

}  // namespace

void send_error(execution::Ring& ring, std::uint32_t kind, const Error& error) {
  Packer packer;
  pack_error(packer, error);
  packer.send(ring, kind);
}

Error read_error(std::span<const std::byte> message) {
  Unpacker unpacker(message);
  return unpack_error(unpacker);
}

void send_log(execution::Ring& ring, const LogRecord& record) {
  constexpr std::size_t longest_text = 1 << 20;
  Packer packer;
  packer.value(record.severity);
  packer.text(record.component);
  packer.text(record.category);
  packer.text(record.text.substr(0, longest_text));
  packer.send(ring, log_message);
}

LogRecord read_log(std::span<const std::byte> message) {
  Unpacker unpacker(message);
  LogRecord record;
  record.severity = unpacker.value<Severity>();
  record.component = unpacker.text();
  record.category = unpacker.text();
  record.text = unpacker.text();
  return record;
}

void send_report(execution::Ring& ring, const RunReport& report) {
  Packer packer;
  packer.value(report.end.kind);
  packer.value(report.end.time);
  packer.value(report.end.started);
  packer.value(report.end.error.has_value());
  if (report.end.error) pack_error(packer, *report.end.error);
  packer.text(report.statistics.model);
  for_each_number(report.statistics, [&](const auto& number) { packer.value(number); });
  const RunStatistics& statistics = report.statistics;
  packer.value(statistics.version.has_value());
  packer.value(statistics.version.value_or(FmiVersion{}));
  packer.value(statistics.components.size());
  for (const ComponentStatistics& component : statistics.components) {
    packer.text(component.name);
    for_each_call_count(component, [&](const auto& number) { packer.value(number); });
    pack_solver(packer, component.solver);
  }
  packer.value(statistics.cycles.size());
  for (const CycleStatistics& cycle : statistics.cycles) {
    packer.value(cycle.components.size());
    for (const std::string& name : cycle.components) packer.text(name);
    packer.text(cycle.method);
    for_each_cycle_number(cycle, [&](const auto& number) { packer.value(number); });
  }
  pack_solver(packer, report.statistics.solver);
  packer.value(statistics.estimated_errors.size());
  for (const EstimatedError& output : statistics.estimated_errors) {
    packer.text(output.name);
    packer.value(output.error);
  }
  packer.send(ring, report_message);
}

RunReport read_report(std::span<const std::byte> message) {
  Unpacker unpacker(message);
  RunReport report;
  report.end.kind = unpacker.value<RunEnd::Kind>();
  report.end.time = unpacker.value<double>();
  report.end.started = unpacker.value<bool>();
  if (unpacker.value<bool>()) report.end.error = unpack_error(unpacker);
  report.statistics.model = unpacker.text();
  const auto take = [&](auto& number) {
    number = unpacker.value<std::remove_reference_t<decltype(number)>>();
  };
  for_each_number(report.statistics, take);
  RunStatistics& statistics = report.statistics;
  const bool has_version = unpacker.value<bool>();
  const auto version = unpacker.value<FmiVersion>();
  if (has_version) statistics.version = version;
  statistics.components.resize(unpacker.value<std::size_t>());
  for (ComponentStatistics& component : statistics.components) {
    component.name = unpacker.text();
    for_each_call_count(component, take);
    component.solver = unpack_solver(unpacker);
  }
  statistics.cycles.resize(unpacker.value<std::size_t>());
  for (CycleStatistics& cycle : statistics.cycles) {
    cycle.components.resize(unpacker.value<std::size_t>());
    for (std::string& name : cycle.components) name = unpacker.text();
    cycle.method = unpacker.text();
    for_each_cycle_number(cycle, take);
  }
  report.statistics.solver = unpack_solver(unpacker);
  statistics.estimated_errors.resize(unpacker.value<std::size_t>());
  for (EstimatedError& output : statistics.estimated_errors) {
    output.name = unpacker.text();
    output.error = unpacker.value<std::optional<double>>();
  }
  return report;
}

}  // namespace tutti::session
