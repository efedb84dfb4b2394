// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <tutti/examples.hpp>
#include <tutti/system_graph.hpp>

#include "base/infinity.hpp"
#include "base/text.hpp"
#include "studies/examples/collect.hpp"

namespace tutti {
namespace {

using examples::Collector;
using Kind = ExpectedFigure::Kind;
using Relation = ExpectedFigure::Relation;

constexpr double fine_error = 1e-2, doubtful_error = 1e-1;

bool has_reference(const Example& example) {
  return !example.reference.file.empty() ||
         std::filesystem::exists(example.folder / "fmus/reference.fmu");
}

std::vector<std::string> compared_variables(const Example& example) {
  if (!example.reference.variables.empty()) return example.reference.variables;
  std::vector<std::string> names;
  if (!has_reference(example)) return names;
  if (!example.reference.file.empty()) {
    for (const ResultColumn& column : read_results(example.folder / example.reference.file).columns)
      names.push_back(column.name);
    return names;
  }
  for (const Variable& variable : read_description(example.folder / "fmus/reference.fmu").variables)
    if (variable.causality == Causality::output) names.push_back(variable.name);
  return names;
}

bool is_left_out(const ExampleReference& reference, double t, double step) {
  return std::any_of(reference.leave_out.begin(), reference.leave_out.end(), [&](double around) {
    return std::abs(t - around) < reference.leave_out_steps * step;
  });
}

/// Largest errors of one variable.
struct ErrorOf {
  double largest = 0, last = 0;
};

/// A program need not write all variables that are compared.
std::map<std::string, ErrorOf> errors_of(const Example& example, const Collector& run,
                                         const Collector& reference, double step,
                                         bool is_program = false) {
  std::map<std::string, ErrorOf> errors;
  for (const std::string& name : compared_variables(example)) {
    if (is_program && std::ranges::count(run.columns, name, &Column::name) == 0) continue;
    const std::vector<double>&found = run.of(name), &right = reference.of(name);
    double error = 0, last = 0, scale = 0;
    bool compared = false;
    for (std::size_t n = 0; n < run.times.size(); ++n) {
      if (std::isnan(right[n])) continue;
      compared = true;
      scale = std::max(scale, std::abs(right[n]));
      last = std::abs(found[n] - right[n]);
      if (is_left_out(example.reference, run.times[n], step)) continue;
      error = std::max(error, last);
    }
    if (!compared)
      throw Error(ErrorCode::usage,
                  fmt::format("the reference of \"{}\" has no value at any time of the run", name));
    if (!example.reference.relative || scale == 0) scale = 1;
    errors[name] = {error / scale, last / scale};
  }
  return errors;
}

/// A run that fails because values become NaN is wrong; if a slave has an internal solver, that is
/// an error of the slave.
char verdict_of_failure(const System& system) {
  for (const Component& component : system.components)
    if (read_description(system.folder / component.fmu).continuous_state_count > 0) return 'e';
  return 'w';
}

char verdict_of(double error) {
  return error <= fine_error ? 'Y' : error <= doubtful_error ? 'd' : 'w';
}

/// The data from which the figures are computed.
struct Measurement {
  const Example& example;
  const System& system;
  const SystemRunOptions& options;
  const ExampleOutcome& outcome;
  const Collector& run;
  const std::map<std::string, ErrorOf>& errors;

  double error(const std::string& of) const {
    if (of.empty() && !errors.empty()) return outcome.error;
    if (const auto found = errors.find(of); found != errors.end()) return found->second.largest;
    throw Error(ErrorCode::usage,
                of.empty() ? "there is no reference" : fmt::format("\"{}\" is not compared", of));
  }
  double last_error() const {
    double largest = 0;
    for (const auto& [name, error] : errors) largest = std::max(largest, error.last);
    return largest;
  }
  static double magnitude(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values)
      largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : infinity;
    return largest;
  }
  double magnitude_of_all() const {
    double largest = 0;
    for (const std::vector<double>& values : run.values)
      largest = std::max(largest, magnitude(values));
    return largest;
  }
  double solver(const ExpectedFigure& figure) const {
    for (const ComponentStatistics& component : outcome.statistics.components)
      if (component.name == figure.of && component.solver)
        return static_cast<double>(figure.call == "steps" ? component.solver->steps
                                                          : component.solver->evaluations);
    throw Error(ErrorCode::usage,
                fmt::format("there is no model-exchange component \"{}\"", figure.of));
  }
  double swing(const ExpectedFigure& figure) const {
    const std::vector<double>& values = run.of(figure.of);
    double low = infinity, high = -infinity;
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (run.times[n] < figure.from) continue;
      low = std::min(low, values[n]);
      high = std::max(high, values[n]);
    }
    return (high - low) / 2;
  }
  /// Infinity if it does not change that often.
  double changes(const ExpectedFigure& figure) const {
    const std::vector<double>& values = run.of(figure.of);
    double error = 0;
    std::size_t count = 0;
    for (std::size_t n = 1; n < values.size(); ++n) {
      if (values[n] == values[n - 1]) continue;
      if (count < figure.times.size())
        error = std::max(error, std::abs(run.times[n] - figure.times[count]));
      ++count;
    }
    return count == figure.times.size() ? error : infinity;
  }
  /// For an oscillating mode the last points matter, at any phase: the quotient of two thirds is
  /// correct up to a small factor, and its root, over n steps, up to the n-th root of that factor.
  double growth(const ExpectedFigure& figure) const {
    const std::vector<double>& values = run.of(figure.of);
    const std::size_t n = values.size() / 3;
    const auto largest = [&](std::size_t end) {
      double size = 0;
      for (std::size_t k = values.size() - end - n; k < values.size() - end; ++k)
        size = std::max(size, std::abs(values[k]));
      return size;
    };
    return std::pow(largest(0) / largest(n), 1.0 / static_cast<double>(n));
  }
  double differences(const std::string& of) const {
    const auto other = std::find_if(example.runs.begin(), example.runs.end(),
                                    [&](const ExampleRun& r) { return r.name == of; });
    Collector found;
    System changed = examples::system_of(example, *other);
    changed.results = system.results;
    tutti::run(changed, options, &found, {});
    if (found.times.size() != run.times.size() || found.values.size() != run.values.size())
      return infinity;
    std::size_t count = 0;
    const auto compare = [&](const std::vector<double>& a, const std::vector<double>& b) {
      for (std::size_t n = 0; n < a.size(); ++n)
        count += std::bit_cast<std::uint64_t>(a[n]) != std::bit_cast<std::uint64_t>(b[n]) ? 1 : 0;
    };
    compare(found.times, run.times);
    for (std::size_t c = 0; c < run.values.size(); ++c) compare(found.values[c], run.values[c]);
    return static_cast<double>(count);
  }
  double calls(const ExpectedFigure& figure) const {
    for (const ComponentStatistics& component : outcome.statistics.components)
      if (component.name == figure.of)
        return static_cast<double>(figure.call == "do-step"     ? component.do_step
                                   : figure.call == "get-state" ? component.get_state
                                                                : component.set_state);
    throw Error(ErrorCode::usage, fmt::format("there is no component \"{}\"", figure.of));
  }
  double failures(const std::string& kind) const {
    const RunStatistics& s = outcome.statistics;
    return static_cast<double>(kind == "convergence"  ? s.convergence_failures
                               : kind == "error-test" ? s.error_test_failures
                                                      : s.accepted_at_min);
  }
  double operator()(const ExpectedFigure& figure) const;
};

/// The name and measurement of a kind of figures.
struct FigureRow {
  Kind kind;
  const char* name;  ///< {0}: of, {1}: call, {2}: from
  double (*measure)(const Measurement& m, const ExpectedFigure& f);
};
using M = const Measurement&;
using F = const ExpectedFigure&;
constexpr FigureRow figure_rows[] = {
    {Kind::error, "error of {0}", [](M m, F f) { return m.error(f.of); }},
    {Kind::last_error, "error at the end", [](M m, F) { return m.last_error(); }},
    {Kind::first, "first {0}", [](M m, F f) { return m.run.of(f.of).front(); }},
    {Kind::last, "last {0}", [](M m, F f) { return m.run.of(f.of).back(); }},
    {Kind::largest, "largest {0}", [](M m, F f) { return m.magnitude(m.run.of(f.of)); }},
    {Kind::swing, "swing of {0} from {2:.13g} s on", [](M m, F f) { return m.swing(f); }},
    {Kind::changes, "error of the times at which {0} changes",
     [](M m, F f) { return m.changes(f); }},
    {Kind::steps, "steps", [](M m, F) { return static_cast<double>(m.outcome.statistics.steps); }},
    {Kind::calls, "{0} {1}", [](M m, F f) { return m.calls(f); }},
    {Kind::failures, "failures, {1}", [](M m, F f) { return m.failures(f.call); }},
    {Kind::solver, "solver of {0}, {1}", [](M m, F f) { return m.solver(f); }},
    {Kind::evaluations, "evaluations in initialization",
     [](M m, F) { return static_cast<double>(m.outcome.statistics.initial_evaluations); }},
    {Kind::evaluations_alone, "evaluations in initialization, every output alone",
     [](M m, F) {
       return static_cast<double>(make_graph(m.system, m.options.open).evaluations_alone);
     }},
    {Kind::growth, "growth of {0} per step", [](M m, F f) { return m.growth(f); }},
    {Kind::same_as, "values that differ from \"{0}\"",
     [](M m, F f) { return m.differences(f.of); }},
    {Kind::diverges, "largest magnitude", [](M m, F) { return m.magnitude_of_all(); }},
    {Kind::fails, "end", [](M, F) { return std::numeric_limits<double>::quiet_NaN(); }},
};
const FigureRow& row_of(Kind kind) {
  return *std::ranges::find(figure_rows, kind, &FigureRow::kind);
}

double Measurement::operator()(const ExpectedFigure& figure) const {
  return row_of(figure.kind).measure(*this, figure);
}

std::string name_of(const ExpectedFigure& figure) {
  if (figure.kind == Kind::error && figure.of.empty()) return "error";
  return fmt::format(fmt::runtime(row_of(figure.kind).name), figure.of, figure.call, figure.from);
}

FoundFigure compare_figure(const ExpectedFigure& figure, const Measurement& measure) {
  FoundFigure found{name_of(figure), "", ""};
  const bool failed = !measure.outcome.failure.empty();
  if (figure.relation == Relation::verdict) {
    found.expected = fmt::format("verdict {}", figure.verdict);
    found.found = failed ? fmt::format("verdict {}", measure.outcome.verdict)
                         : fmt::format("{:.4g}", measure.outcome.error);
    found.fine = measure.outcome.verdict == figure.verdict;
    return found;
  }
  if (figure.kind == Kind::fails) {
    found.expected = fmt::format("\"{}\"", figure.call);
    found.found = failed ? measure.outcome.failure : "the run ended well";
    found.fine = found.found.find(figure.call) != std::string::npos;
    return found;
  }
  const char* const relation = figure.relation == Relation::below   ? "< "
                               : figure.relation == Relation::above ? "> "
                                                                    : "";
  const auto write = [&](double x) {
    return figure.is_count()    ? fmt::format("{:.0f}", x)
           : figure.allowed > 0 ? fmt::format("{:.10g}", x)
                                : fmt::format("{:.4g}", x);
  };
  found.expected = relation + write(figure.value);
  if (figure.allowed > 0) found.expected += fmt::format(" +- {:.2g}", figure.allowed);
  if (failed) {
    found.found = measure.outcome.failure;
    found.fine = figure.kind == Kind::diverges && measure.outcome.numeric_failure;
    return found;
  }
  const double value = measure(figure);
  found.found = write(value);
  switch (figure.relation) {
    case Relation::below:
      found.fine = value < figure.value;
      break;
    case Relation::above:
      found.fine = value > figure.value;
      break;
    default:
      found.fine = std::abs(value - figure.value) <=
                   std::max(figure.within * std::abs(figure.value), figure.allowed);
  }
  return found;
}

}  // namespace

std::string verdict_rule() {
  return "With e the largest error at the communication points, over the largest magnitude of the\n"
         "reference (where that is 0: over 1):\n"
         "  Y  the run ends, e <= 0.01\n"
         "  d  the run ends, 0.01 < e <= 0.1\n"
         "  w  the run ends, e > 0.1; or values of algebraic FMUs become NaN\n"
         "  e  values of a system with an FMU that integrates become NaN, an FMU reports\n"
         "     an error, or an FMU cannot be made or initialized\n";
}

namespace {

ExampleOutcome measure_program(const Example& example, const ExampleRun& run,
                               const SystemRunOptions& options) {
  ExampleOutcome outcome;
  Collector collected;
  std::map<std::string, ErrorOf> errors;
  try {
    collected = examples::run_program_of(example, run, options);
    if (has_reference(example))
      errors = errors_of(example, collected,
                         examples::run_reference(example, run, collected.times, options), 0, true);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::numeric) throw;
    outcome.failure = error.what();
  }
  for (const auto& [name, error] : errors) outcome.error = std::max(outcome.error, error.largest);
  outcome.verdict = outcome.failure.empty() ? verdict_of(outcome.error) : 'e';
  const System none;
  const Measurement measurement{example, none, options, outcome, collected, errors};
  for (const ExpectedFigure& figure : run.figures)
    outcome.figures.push_back(compare_figure(figure, measurement));
  return outcome;
}

}  // namespace

ExampleOutcome run_example(const Example& example, const ExampleRun& run,
                           const SystemRunOptions& options) {
  if (!run.program.empty()) return measure_program(example, run, options);
  System system = examples::system_of(example, run);
  for (const std::string& variable : compared_variables(example))
    system.results.variables.push_back(variable);

  ExampleOutcome outcome;
  Collector collected;
  const RunReport report = tutti::run(system, options, &collected, {});
  outcome.statistics = report.statistics;
  if (report.end.kind == RunEnd::Kind::interrupted)
    throw Error(ErrorCode::interrupted, "interrupted");
  std::map<std::string, ErrorOf> errors;
  if (report.end.kind == RunEnd::Kind::failed) {
    outcome.failure = report.end.error ? report.end.error->what() : "the run failed";
    outcome.numeric_failure = report.end.error && report.end.error->code() == ErrorCode::numeric;
    outcome.error = infinity;
    outcome.verdict = report.end.started ? verdict_of_failure(system) : 'e';
  } else {
    if (has_reference(example))
      errors = errors_of(example, collected,
                         examples::run_reference(example, run, collected.times, options),
                         report.statistics.step);
    for (const auto& [name, error] : errors) outcome.error = std::max(outcome.error, error.largest);
    outcome.verdict = verdict_of(outcome.error);
  }
  const Measurement measurement{example, system, options, outcome, collected, errors};
  for (const ExpectedFigure& figure : run.figures)
    outcome.figures.push_back(compare_figure(figure, measurement));
  return outcome;
}

FoundFigure check_refusal(const Example& example) {
  FoundFigure found{"the kit refuses the model", example.refused, ""};
  std::ifstream stream(example.folder / "refused.txt");
  std::ostringstream text;
  text << stream.rdbuf();
  found.found = stream ? std::string(trim(text.str())) : "no refused.txt";
  found.fine = found.found.find(example.refused) != std::string::npos;
  return found;
}

}  // namespace tutti
