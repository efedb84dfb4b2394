// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_here.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/result_table.hpp>
#include <tutti/solvers.hpp>

#include "base/text.hpp"
#include "fmi/temporary_folder.hpp"
#include "master/stepping/controllers.hpp"
#include "results/deviation.hpp"
#include "results/row_spool.hpp"
#include "session/automatic.hpp"
#include "session/run_outline.hpp"
#include "session/worker_call.hpp"

namespace tutti::session {
namespace {

constexpr double tenth = 0.1;
// Steps of the second run are so short that values between its points are known, too.
constexpr double points = 500;
constexpr double absolute_part = 0.01;  // of a relative tolerance, as in solvers

/// A run of the same system whose errors should be smaller.
struct SecondRun {
  System system;
  std::string change;                 ///< the changed setting
  double absolute = 0, relative = 0;  ///< the tolerance for the first run
  double start = 0, stop = 0;
};

bool errors_choose_steps(const System& system) {
  return is_automatic(system) || master::step_control_of(system.simulation.control).tests_errors;
}

/// The solver's own step.
void halve_solver_steps(SolverSettings& solver) {
  const std::vector<SolverOptionInfo> known = ode_solver(solver.name).options;
  const auto option = std::ranges::find(known, "h", &SolverOptionInfo::name);
  if (option == known.end()) return;
  const auto given = solver.options.find("h");
  const SolverOption& size = given != solver.options.end() ? given->second : option->default_value;
  double h = 0;
  if (const auto* const number = std::get_if<double>(&size)) h = *number;
  if (const auto* const whole = std::get_if<std::int64_t>(&size)) h = static_cast<double>(*whole);
  if (const auto* const text = std::get_if<std::string>(&size)) parse_number(*text, h);
  if (h > 0) solver.options["h"] = h / 2;
}

void tighten_components(System& system) {
  for (Component& component : system.components) {
    for (std::optional<double>* const tolerance :
         {&component.tolerance, &component.solver.rtol, &component.solver.atol})
      if (*tolerance) **tolerance *= tenth;
    for (std::optional<double>* const step :
         {&component.solver.max_step, &component.solver.first_step})
      if (*step) **step /= 2;
    halve_solver_steps(component.solver);
  }
}

void tighten_control(SecondRun& run) {
  IterationSettings& tolerance = run.system.simulation.tolerance;
  ControlSettings& control = run.system.simulation.control;
  const bool automatic = is_automatic(run.system);
  run.absolute = automatic ? tolerance.abs : control.atol;
  run.relative = automatic ? tolerance.rel : control.rtol;
  for (double* const value : {&tolerance.abs, &tolerance.rel, &control.atol, &control.rtol})
    *value *= tenth;
  if (control.min) *control.min *= tenth;
  const double longest = std::max((run.stop - run.start) / points, control.min.value_or(0));
  control.max = std::min(control.max.value_or(longest), longest);
  run.change = automatic ? fmt::format("simulation.tolerance = {{ abs = {:.3g}, rel = {:.3g} }}",
                                       tolerance.abs, tolerance.rel)
                         : fmt::format("simulation.control = {{ atol = {:.3g}, rtol = {:.3g} }}",
                                       control.atol, control.rtol);
}

void halve_steps(SecondRun& run) {
  if (!run.system.tlm.empty() || !run.system.delays.empty())
    throw Error(ErrorCode::capability,
                "systems with [[tlm]] or [[delays]] cannot be verified by steps of half the size: "
                "their components have their own steps",
                {.hint = "Run it again with smaller components.X.step, and `tutti compare` the "
                         "results."});
  SimulationSettings& simulation = run.system.simulation;
  ControlSettings& control = simulation.control;
  RunSetup setup;
  resolve_time(TimeSettings(run.system), {}, setup);
  simulation.step = setup.step / 2;
  simulation.tolerance.abs *= tenth;
  simulation.tolerance.rel *= tenth;
  for (Component& component : run.system.components)
    if (component.step) *component.step /= 2;
  for (std::optional<double>* const limit : {&control.min, &control.max})
    if (*limit) **limit /= 2;
  if (master::step_control_of(control).chooses_steps && !control.max)
    control.max = std::max(setup.step, (run.stop - run.start) / 10) / 2;
  // Points between those of the first run are not needed.
  if (!master::is_free(control) && !run.system.results.interval)
    run.system.results.interval = setup.step;
  run.change = fmt::format("simulation.step = {:.6g}", *simulation.step);
}

constexpr double largest_shift = 0.01;  // of the simulated time

/// The run in a separate worker, with results in a temporary folder.
class OtherRun {
 public:
  OtherRun(const SecondRun& second, const SystemRunOptions& options)
      : control_(control_of(options)),
        caller_(Worker(options.worker.program()).host(), control_, log_) {
    Opening opening = opening_for(second.system, control_, options.open, log_, caller_);
    opening.spool = folder_.path() / "rows";
    opening.is_silent = true;
    caller_.monitor().time = second.start;
    caller_.ask(Request::run, Packer()(opening));
  }

  bool has_ended() { return caller_.look(); }
  void wait() { caller_.wait(); }
  double time() { return caller_.monitor().time; }
  /// @pre it has ended. @throws Error
  RunReport report() {
    if (caller_.end()) return *caller_.end();
    const std::string answer = caller_.take_answer();
    return Unpacker(answer).take<RunReport>();
  }
  /// @pre the report is good. `columns` are those of the first run, which may have more.
  ResultTable results(std::span<const Column> columns) const {
    return results::read_spool(folder_.path() / "rows", columns);
  }

 private:
  static RunControl control_of(const SystemRunOptions& options) {
    RunControl control;
    control.step_timeout = options.step_timeout;
    control.stop_request = options.stop_request;
    control.kill_request = options.kill_request;
    return control;
  }
  fmi::TemporaryFolder folder_;
  Log log_;
  RunControl control_;
  WorkerCaller caller_;
};

void refuse(Verification& out, const std::string& why) {
  out.outcome = Verification::Outcome::not_possible;
  out.message = fmt::format("could not verify: {}", why);
}

/// A hint that matches the deviations.
std::string advice_for(const std::vector<Deviation>& variables, const SecondRun& second,
                       const ResultTable& reference) {
  for (const Deviation& variable : variables)
    if (variable.at_start > Verification::limit)
      return fmt::format(
          "{} differs at the start, where tolerances have no effect: a component is not "
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
  out.message = fmt::format("verification: the run ended at t = {:.6g} s, but at {:.6g} s with {}.",
                            first.end.time, report.end.time, out.change);
}

void compare_runs(const System& system, const RunReport& first, const ResultTable& results,
                  OtherRun& other, const SecondRun& second, Verification& out) {
  try {
    if (is_automatic(system) && !first.statistics.controlled && !system.connections.empty())
      return refuse(out,
                    "a component cannot vary its step, so the tolerance does not determine the "
                    "steps. Set a method, simulation.step and a tolerance for the verification.");
    const RunReport report = other.report();
    if (report.end.error || report.end.kind == RunEnd::Kind::failed)
      return refuse(out, fmt::format("the run with {} failed: {}", out.change,
                                     report.end.error ? report.end.error->what() : "no reason"));
    judge(first, results, report, other.results(first.columns), second, out);
  } catch (const Error& error) {
    refuse(out, error.what());
  }
}

/// With error-controlled steps, a tenth of the tolerance; else half the step.
/// @throws Error(usage) without a tolerance for the verification
SecondRun make_second_run(const System& system, const VerifyOptions& options) {
  SecondRun run;
  run.system = system;
  run.start = system.simulation.start.value_or(0);
  run.stop = system.simulation.stop.value_or(run.start + 1);
  if (options.tolerance && !(*options.tolerance > 0 && std::isfinite(*options.tolerance)))
    throw Error(ErrorCode::usage,
                fmt::format("the tolerance {} to verify by is not positive", *options.tolerance),
                {.key = "verify"});
  run.system.results.steps = false;  // separate for each run
  tighten_components(run.system);
  if (errors_choose_steps(system)) {
    tighten_control(run);
  } else {
    halve_steps(run);
    if (!options.tolerance)
      throw Error(ErrorCode::usage,
                  "%key% compares with a run of half the step here, because the steps do not "
                  "follow from a tolerance, and needs a tolerance: try %key% 1e-3",
                  {.key = "verify"});
  }
  if (options.tolerance) {
    run.relative = *options.tolerance;
    run.absolute = absolute_part * run.relative;
  }
  return run;
}

}  // namespace

RunReport run_and_verify(const System& system, const SystemRunOptions& options, Observer* sink,
                         const Log& log) {
  const SecondRun second = make_second_run(system, *options.verify);
  OtherRun other(second, options);
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
  if (sink == nullptr) first.statistics.rows = 0;  // the caller gets none
  if (first.end.error || first.end.kind == RunEnd::Kind::interrupted) return first;

  Verification& out = first.verification.emplace();
  out.change = second.change;
  out.absolute = second.absolute;
  out.relative = second.relative;
  out.shift = std::min(Verification::limit * out.relative, largest_shift) * span;
  while (!other.has_ended()) {
    other.wait();
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
