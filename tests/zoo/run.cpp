// SPDX-License-Identifier: BSD-2-Clause
#include "zoo/run.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <tutti/system_file.hpp>
#include <tutti/system_run.hpp>

namespace zoo {
namespace {

std::string text_of(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

tutti::Endpoint endpoint(const std::string& name) {
  const std::size_t dot = name.find('.');
  return {name.substr(0, dot), name.substr(dot + 1)};
}

/// Compares what is recorded with the reference, as it comes.
class Comparison : public tutti::Observer {
 public:
  Comparison(const Reference& reference, double shift)
      : errors(reference.names().size()), reference_(reference), shift_(shift) {}

  void begin(std::span<const tutti::Column> columns) override {
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (std::size_t k = 0; k < reference_.names().size(); ++k)
        if (columns[i].name == reference_.names()[k]) pairs_.push_back({i, k, columns[i].type});
  }
  void row(const tutti::Row& row) override {
    for (const Pair& pair : pairs_) {
      const double value = tutti::as_real(pair.type, row.cells[pair.column]);
      const double distance = reference_.distance(pair.output, row.time, shift_, value);
      if (!(distance <= errors[pair.output])) errors[pair.output] = distance;
      const double off = distance / (1 + reference_.largest(pair.output));
      if (!(off <= error)) error = std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
    }
  }
  bool rewind(std::uint64_t /*rows*/) override {
    error = 0;
    errors.assign(errors.size(), 0);
    return true;
  }
  void finish() override {}
  bool is_complete() const { return pairs_.size() == reference_.names().size(); }

  double error = 0;
  std::vector<double> errors;  ///< by output of the reference, not scaled

 private:
  struct Pair {
    std::size_t column, output;
    tutti::Type type;
  };
  const Reference& reference_;
  double shift_;
  std::vector<Pair> pairs_;
};

/// The system as a user would write it.
tutti::System described(const System& system, const Reference& reference,
                        const std::filesystem::path& fmus, const std::filesystem::path& scratch) {
  tutti::System result;
  result.name = system.name;
  result.folder = fmus;
  for (const Part& part : system.parts) {
    tutti::Component component;
    component.name = part.name;
    component.fmu = fmus / ("Zoo" + part.model + ".fmu");
    for (const auto& [variable, value] : part.set)
      component.set.emplace_back(variable, text_of(value));
    result.components.push_back(std::move(component));
  }
  for (const Wire& wire : system.wires)
    result.connections.push_back(
        {endpoint(wire.from), endpoint(wire.to), wire.factor, wire.offset});
  for (std::size_t k = 0; k < system.tables.size(); ++k) {
    tutti::InputFile table;
    table.file = scratch / (system.name + "-" + std::to_string(k) + ".csv");
    table.columns.push_back({"u", endpoint(system.tables[k].to)});
    if (!std::filesystem::exists(table.file)) {
      std::ofstream file(table.file);
      file << "time,u\n";
      for (const auto& [t, u] : system.tables[k].rows)
        file << text_of(t) << "," << text_of(u) << "\n";
    }
    result.inputs.tables.push_back(std::move(table));
  }
  result.results.variables = reference.names();
  result.simulation.start = 0;
  result.simulation.stop = system.span;
  return result;
}

}  // namespace

std::string name_of(Ability ability) {
  static constexpr const char* names[] = {"all", "values", "forward", "neither"};
  return names[static_cast<std::size_t>(ability)];
}

std::string name_of(Verdict verdict) {
  static constexpr const char* names[] = {"within 1",     "within 10",    "within 100",
                                          "refused",      "worse failed", "worse warned",
                                          "worse silent", "out of time"};
  return names[static_cast<std::size_t>(verdict)];
}

Runner::Runner(std::filesystem::path fmus, std::filesystem::path scratch)
    : fmus_(std::move(fmus)), scratch_(std::move(scratch)) {}

Run Runner::run(const System& system, const Reference& reference, Ability ability,
                const std::vector<std::string>& settings, double shift, double seconds) const {
  using Clock = std::chrono::steady_clock;
  Run run;
  Comparison comparison(reference, shift);
  const tutti::Log log([&](const tutti::LogRecord& record) {
    if (record.severity < tutti::Severity::warning) return;
    if (!run.has_warning) run.message = record.text;
    run.has_warning = true;
  });
  std::atomic<bool> stop = false;
  const Clock::time_point start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  tutti::SystemRunOptions options;
  options.stop_request = &stop;
  options.progress = [&](double, double) { stop = stop || elapsed() > seconds; };
  try {
    tutti::System description =
        described(system, reference, fmus_ / name_of(ability) / "2.0", scratch_);
    for (const std::string& setting : settings) tutti::assign(description, setting);
    const tutti::RunReport report = tutti::run(description, options, &comparison, log);
    run.calls = report.statistics.do_step;
    for (std::size_t k = 0; k < reference.names().size(); ++k) {
      OutputError& output =
          run.outputs.emplace_back(OutputError{reference.names()[k], comparison.errors[k], {}});
      for (const tutti::EstimatedError& estimate : report.statistics.estimated_errors)
        if (estimate.name == output.name) output.estimated = estimate.error;
    }
    run.was_stopped = report.end.kind == tutti::RunEnd::Kind::interrupted;
    if (report.end.kind == tutti::RunEnd::Kind::failed) {
      run.status = report.end.started ? 1 : 2;
      if (report.end.error) run.message = report.end.error->what();
    } else if (!comparison.is_complete()) {
      run.status = 2;
      run.message = "not all outputs were recorded";
    }
  } catch (const tutti::Error& error) {
    if (error.code() == tutti::ErrorCode::interrupted) throw;
    run.status = 2;
    run.message = error.what();
  }
  run.error = comparison.error;
  run.seconds = elapsed();
  return run;
}

double shift_of(const System& system, double tolerance) {
  return system.has_events ? 10 * tolerance * system.span : 0;
}

Run Runner::run_automatic(const System& system, const Reference& reference, Ability ability,
                          double tolerance, double seconds) const {
  return run(system, reference, ability,
             {"simulation.method=auto", "simulation.tolerance.abs=" + text_of(tolerance),
              "simulation.tolerance.rel=" + text_of(tolerance)},
             shift_of(system, tolerance), seconds);
}

Verdict verdict_of(const Run& run, double tolerance) {
  const double error = run.error / tolerance;
  if (run.was_stopped) return Verdict::out_of_time;
  if (run.status == 2 || (run.status == 1 && error <= 10)) return Verdict::refused;
  if (run.status == 1) return Verdict::worse_failed;
  if (error <= 1) return Verdict::within_1;
  if (error <= 10) return Verdict::within_10;
  if (error <= 100) return Verdict::within_100;
  return run.has_warning ? Verdict::worse_warned : Verdict::worse_silent;
}

}  // namespace zoo
