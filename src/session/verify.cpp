// SPDX-License-Identifier: BSD-2-Clause
#include "session/verify.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tutti/result_table.hpp>

#include "execution/child_process.hpp"
#include "fmi/temporary_folder.hpp"
#include "master/stepping/controllers.hpp"
#include "results/deviation.hpp"
#include "results/row_spool.hpp"
#include "results/table_sink.hpp"
#include "session/automatic.hpp"
#include "session/shared_monitor.hpp"
#include "session/watching.hpp"
#include "session/wire.hpp"

namespace tutti::session {
namespace {

constexpr double largest_shift = 0.01;  // of the simulated time

/// A run in a process of its own, whose results are in a temporary folder.
class OtherProcess {
 public:
  OtherProcess(const SecondRun& second, const SystemRunOptions& options)
      : second_(second), child_([&] { perform(options); }) {}

  bool has_ended() { return child_.has_ended(); }
  void wait_at_most(std::chrono::microseconds time) const { child_.wait_at_most(time); }
  double time() { return (*monitor_).time; }
  /// It has ended. @throws Error(fmu) if it did not come to a report
  RunReport report() {
    execution::Ring::Message message;
    if (child_.ended_well() && ring_.next(message)) return read_report(message.bytes);
    throw Error(ErrorCode::fmu,
                fmt::format("the process of the second run ended: {}", child_.how_it_ended()));
  }
  /// @pre the report is good. `columns` are those of the first run, which may have more.
  ResultTable results(std::span<const Column> columns) const {
    return results::read_spool(file(), columns);
  }

 private:
  std::filesystem::path file() const { return folder_.path() / "rows"; }

  /// In the child.
  void perform(SystemRunOptions options) {
    // Its files go with the folder, however it ends; what FMUs print was printed by the first run.
    ::setenv("TMPDIR", folder_.path().c_str(), 1);
    if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0)
      for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
    master::Monitor& monitor = *monitor_;
    monitor.time = second_.start;
    options.verify.reset();
    options.own_process = true;
    options.profile = false;
    options.stop_request = &monitor.stop_requested;
    options.kill_request = nullptr;
    options.open.stop = &monitor.stop_requested;
    options.progress = [&](double t, double) { monitor.time = t; };
    RunReport report;
    try {
      results::RowSpool rows(file());
      report = run(second_.system, options, &rows, Log());
    } catch (const Error& error) {
      report.end.kind = RunEnd::Kind::failed;
      report.end.error = error;
    }
    monitor.time = second_.stop;
    // The rest is of no interest, and may be large.
    RunReport brief;
    brief.end = report.end;
    send_report(ring_, brief);
  }

  const SecondRun& second_;
  fmi::TemporaryFolder folder_;
  SharedMonitor monitor_;
  execution::Ring ring_{std::size_t{1} << 20};
  execution::ChildProcess child_;  // the last: it uses the others
};

void refuse(Verification& out, const std::string& why) {
  out.outcome = Verification::Outcome::not_possible;
  out.message = fmt::format("could not verify: {}", why);
}

/// What may help, from what the deviations look like.
std::string advice_for(const std::vector<Deviation>& variables, const SecondRun& second,
                       const ResultTable& reference) {
  for (const Deviation& variable : variables)
    if (variable.at_start > Verification::limit)
      return fmt::format(
          "{} differs before time starts, where tolerances play no part: a component is not "
          "deterministic (random numbers, the time of day, a file that another run writes).",
          variable.name);
  const Deviation& worst = variables.front();
  const std::string remedy =
      is_automatic(second.system) ? "simulation.tolerance"
      : master::step_control_of(second.system.simulation.control).tests_errors
          ? "simulation.control.atol and rtol"
          : "simulation.step, or another method (`tutti advise`)";
  std::string advice = fmt::format("Try a smaller {}.", remedy);
  const ResultColumn* const column = reference.find(worst.name);
  if (column == nullptr || column->numbers.empty()) return advice;
  const auto [low, high] = std::minmax_element(column->numbers.begin(), column->numbers.end());
  constexpr double large = 0.3;
  if (worst.largest > large * (*high - *low))
    advice +=
        " The deviation is as large as the variable itself: in a chaotic or unstable system, or "
        "one with random numbers, no tolerance makes two runs agree for long; try a smaller "
        "simulation.stop.";
  return advice;
}

void judge(const RunReport& first, const ResultTable& results, const RunReport& report,
           const ResultTable& reference, const SecondRun& second, Verification& out) {
  out.variables =
      results::deviations_of(results, reference, {out.absolute, out.relative, out.shift});
  if (out.variables.empty()) return refuse(out, "nothing is recorded");
  const Deviation& worst = out.variables.front();
  if (worst.tolerances > Verification::limit) {
    const std::string size =
        std::isfinite(worst.largest)
            ? fmt::format("by {:.3g}{}{}, {:.3g} tolerances,", worst.largest,
                          worst.unit.empty() ? "" : " ", worst.unit, worst.tolerances)
            : "";
    out.outcome = Verification::Outcome::deviates;
    out.message =
        fmt::format("verification: {} deviates {}{}at t = {:.6g} s: {} instead of {} with {}. {}",
                    worst.name, size, size.empty() ? "" : " ", worst.time, worst.result,
                    worst.reference, out.change, advice_for(out.variables, second, reference));
    return;
  }
  if (std::abs(first.end.time - report.end.time) <= out.shift) return;
  out.outcome = Verification::Outcome::deviates;
  out.message = fmt::format("verification: the run ended at t = {:.6g} s, and at {:.6g} s with {}.",
                            first.end.time, report.end.time, out.change);
}

void compare_runs(const System& system, const RunReport& first, const ResultTable& results,
                  OtherProcess& other, const SecondRun& second, Verification& out) {
  try {
    if (is_automatic(system) && !first.statistics.controlled && !system.connections.empty())
      return refuse(
          out,
          "a component takes steps of one size only, so the tolerance does not choose "
          "the steps. Name a method and simulation.step, and give a tolerance to verify by.");
    const RunReport report = other.report();
    if (report.end.error || report.end.kind == RunEnd::Kind::failed)
      return refuse(out, fmt::format("the run with {} failed: {}", out.change,
                                     report.end.error ? report.end.error->what() : "no reason"));
    judge(first, results, report, other.results(first.columns), second, out);
  } catch (const Error& error) {
    refuse(out, error.what());
  }
}

}  // namespace

RunReport run_and_verify(const System& system, const SystemRunOptions& options, Observer* sink,
                         const Log& log) {
  const SecondRun second = make_second_run(system, *options.verify);
  OtherProcess other(second, options);
  const double span = second.stop - second.start;
  SystemRunOptions own = options;
  own.verify.reset();
  // Progress is that of the slower run.
  const auto show = [&](double t) {
    if (!other.has_ended()) t = std::min(t, other.time());
    if (options.progress) options.progress(t, (t - second.start) / span);
  };
  own.progress = [&](double t, double) { show(t); };
  results::TableSink rows(sink);
  RunReport first = run(system, own, &rows, log);
  if (sink == nullptr) first.statistics.rows = 0;  // none for the caller
  if (first.end.error || first.end.kind == RunEnd::Kind::interrupted) return first;

  Verification& out = first.verification.emplace();
  out.change = second.change;
  out.absolute = second.absolute;
  out.relative = second.relative;
  out.shift = std::min(Verification::limit * out.relative, largest_shift) * span;
  while (!other.has_ended()) {
    other.wait_at_most(std::chrono::milliseconds(100));
    show(second.stop);
    if (!is_requested(options.stop_request) && !is_requested(options.kill_request)) continue;
    out.outcome = Verification::Outcome::interrupted;
    out.message = "the verification was interrupted; the results are complete, but not verified";
    return first;
  }
  compare_runs(system, first, rows.table(), other, second, out);
  return first;
}

}  // namespace tutti::session
