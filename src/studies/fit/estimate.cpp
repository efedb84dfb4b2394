// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tutti/estimate.hpp>

#include "base/text.hpp"
#include "studies/fit/confidence.hpp"
#include "studies/fit/experiments.hpp"
#include "studies/fit/search_run.hpp"
#include "studies/search/samples.hpp"

namespace tutti {
namespace studies {
namespace {

constexpr std::size_t curve_points = 600;

std::vector<CaseSystem> systems_of(const std::vector<Experiment>& experiments) {
  std::vector<CaseSystem> systems;
  for (const Experiment& experiment : experiments) systems.push_back(experiment.system);
  return systems;
}

/// Fits the runs of all experiments to their samples.
/// Notation: r = weight * (simulated - measured), over all samples of all signals.
class Estimation {
 public:
  Estimation(const Study& study, const SearchControl& control, const Log& log)
      : settings_(*study.estimate),
        control_(control),
        system_(study, control.set, control.open, log),
        space_(study, system_),
        method_(method_for(settings_.method, study, "estimate.method")) {
    experiments_ = read_experiments(study, system_, control.set, log, report_.search.notes);
    trials_.emplace(systems_of(experiments_), space_, control_, log);
  }

  EstimateReport run() {
    report_.objective = settings_.objective;
    report_.experiments = experiments_.size();
    for (const Experiment& experiment : experiments_) {
      sample_times_ += experiment.sample_times;
      for (const FittedSignal& signal : experiment.signals) {
        report_.samples += signal.times.size();
        report_.signals.push_back(signal);
      }
    }
    const SearchProblem problem =
        problem_of(space_, 0, [this](std::span<const Point> points) { return evaluate(points); });
    trials_->report_as([this](double sum) { return shown(sum); }, settings_.max_runs);
    SearchSummary& summary = report_.search;
    summary.method = settings_.method;
    const FoundPoint best = run_search(method_, problem, options_of(settings_), *trials_, summary);
    if (!best.x.empty()) {
      summary.parameters = space_.found(best.x, settings_.tolerance);
      summary.objective = shown(best.at_x.objective);
      if (at_start_) summary.start_objective = shown(*at_start_);
      compare(best.at_x);
      if (summary.end != SearchOutcome::interrupted) find_accuracy(problem, best);
    }
    finish_summary(*trials_, "estimate", summary);
    return std::move(report_);
  }

 private:
  /// The search minimizes the sum of squares relative to the first one.
  std::vector<Evaluation> evaluate(std::span<const Point> points) {
    return trials_->evaluate(points, [this](Trial& trial, const Point& x) {
      Evaluation evaluation;
      for (std::size_t e = 0; e < experiments_.size(); ++e) {
        append_residuals(e, trial, evaluation.residuals);
        if (!trial.failure.empty()) return evaluation;
      }
      double sum = 0;
      for (const double r : evaluation.residuals) sum += r * r;
      if (!std::isfinite(sum)) {
        trial.failure = fmt::format("the sum of squares overflows at {}", space_.described(x));
        return evaluation;
      }
      if (!scale_) scale_ = sum > 0 ? 1 / std::sqrt(sum) : 1;
      for (double& r : evaluation.residuals) r *= *scale_;
      evaluation.objective = sum * *scale_ * *scale_;
      if (x == space_.start()) at_start_ = evaluation.objective;
      return evaluation;
    });
  }

  void append_residuals(std::size_t e, Trial& trial, std::vector<double>& residuals) const {
    const Experiment& experiment = experiments_[e];
    std::size_t next = 0;
    for (std::size_t s = 0; s < experiment.signals.size(); ++s) {
      const FittedSignal& signal = experiment.signals[s];
      for (std::size_t i = 0; i < signal.times.size(); ++i, ++next) {
        const double simulated = trial.values[e][next];
        if (!std::isfinite(simulated)) {
          trial.failure = experiment_prefix(e, experiments_.size()) +
                          missing_value(signal, signal.times[i], trial.ends[e]);
          return;
        }
        residuals.push_back(experiment.weights[s] * (simulated - signal.measured[i]));
      }
    }
  }

  static std::string missing_value(const FittedSignal& signal, double time, const RunEnd& end) {
    if (end.time < time)
      return fmt::format(
          "the run ended at t = {:.9g} s{}, before the sample of \"{}\" at t = "
          "{:.9g} s",
          end.time, end.kind == RunEnd::Kind::terminated_by_fmu ? ", as an FMU requested" : "",
          signal.formula, time);
    return fmt::format("\"{}\" is not a finite number at t = {:.9g} s", signal.formula, time);
  }

  /// The objective as the user chose it, of a sum of squares as the search sees it.
  double shown(double searched) const {
    const double sum = searched / (scale_.value_or(1) * scale_.value_or(1));
    switch (settings_.objective) {
      case FitObjective::sum_of_squares:
        return sum;
      case FitObjective::rms:
        return std::sqrt(sum / static_cast<double>(report_.samples));
      case FitObjective::pyfmi:
        return std::sqrt(sum) / static_cast<double>(sample_times_);
    }
    return sum;
  }

  void compare(const Evaluation& best) {
    std::size_t next = 0, k = 0;
    for (const Experiment& experiment : experiments_)
      for (const double weight : experiment.weights) {
        FittedSignal& signal = report_.signals[k++];
        for (const double measured : signal.measured)
          signal.simulated.push_back(measured + best.residuals[next++] / (weight * *scale_));
        summarize(signal);
      }
  }

  void find_accuracy(const SearchProblem& problem, const FoundPoint& best) try {
    const auto& [x, at_x, is_feasible] = best;
    Samples samples(problem, {.max_evaluations = std::numeric_limits<std::uint64_t>::max()});
    const Slopes slopes = slopes_at(
        samples, x, at_x, [](const Evaluation& one) { return one.residuals; },
        Differences::central);
    std::vector<bool> is_free(x.size(), true);
    for (std::size_t j = 0; j < x.size(); ++j)
      is_free[j] = space_.bound(j, x[j], settings_.tolerance) == AtBound::none;
    for (const std::size_t j : slopes.unknown) {
      is_free[j] = false;
      report_.search.notes.push_back(
          fmt::format("runs with values of {} beside the result fail: its accuracy is unknown",
                      space_.names()[j]));
    }
    const Confidence confidence =
        confidence_of(slopes.columns, at_x.residuals.size(), at_x.objective, is_free);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double half = confidence.half_widths[j];
      report_.accuracy.push_back(
          {.standard_error = confidence.standard_errors[j] * space_.slope(j, x[j]),
           .low = space_.free_value(j, x[j] - half),
           .high = space_.free_value(j, x[j] + half)});
    }
    report_.correlations = confidence.correlations;
    report_.deviation = confidence.deviation / *scale_;
    report_.degrees_of_freedom = confidence.degrees_of_freedom;
    report_.unidentifiable = confidence.unidentifiable;
    for (const std::vector<std::size_t>& group : confidence.unidentifiable) note_group(group);
    if (confidence.degrees_of_freedom == 0)
      report_.search.notes.push_back(
          fmt::format("{} and {}: no statement about the accuracy is possible",
                      counted(report_.samples, "sample"), counted(x.size(), "parameter")));
    if (control_.curves) add_curves(x);
  } catch (const SearchInterrupted&) {
    report_.search.notes.emplace_back("interrupted before the accuracy was computed");
  } catch (const Error& error) {  // the values must not be lost
    report_.search.notes.push_back(
        fmt::format("the accuracy could not be computed: {}", error.what()));
  }

  void note_group(const std::vector<std::size_t>& group) {
    std::vector<std::string> names;
    for (const std::size_t j : group) names.push_back(fmt::format("\"{}\"", space_.names()[j]));
    report_.search.notes.push_back(
        names.size() == 1
            ? fmt::format("{} has no effect on the measured signals: it cannot be estimated",
                          names.front())
            : fmt::format("{} cannot be estimated together: there are changes of all of them that "
                          "the measured signals do not show",
                          list_some(names)));
  }

  /// Runs once more, with measures at equidistant times.
  void add_curves(const Point& x) {
    std::vector<CaseSystem> systems = systems_of(experiments_);
    std::vector<std::vector<double>> times;
    for (std::size_t e = 0; e < systems.size(); ++e) {
      const RunSpan& span = experiments_[e].span;
      std::set<double> all;
      for (std::size_t i = 0; i <= curve_points; ++i)
        all.insert(span.start + (span.stop - span.start) * static_cast<double>(i) / curve_points);
      for (const FittedSignal& signal : experiments_[e].signals)
        all.insert(signal.times.begin(), signal.times.end());
      times.emplace_back(all.begin(), all.end());
      for (Measure& measure : systems[e].measures) measure.times = times.back();
    }
    CaseOptions options = control_;
    options.open = system_.open();
    Cases cases(std::move(systems), options, {});
    std::vector<Case> all;
    for (std::size_t e = 0; e < times.size(); ++e)
      all.push_back({.system = static_cast<std::uint32_t>(e), .values = space_.texts(x)});
    const std::vector<CaseResult> results = cases.run(all);
    std::vector<std::size_t> next(times.size(), 0);
    for (FittedSignal& signal : report_.signals) {
      const std::size_t e = signal.experiment;
      const std::vector<double>& values = results[e].values;
      const std::size_t from = next[e];
      next[e] += times[e].size();
      if (values.size() < next[e]) continue;
      signal.curve_times = times[e];
      signal.curve.assign(values.begin() + static_cast<std::ptrdiff_t>(from),
                          values.begin() + static_cast<std::ptrdiff_t>(next[e]));
    }
  }

  const EstimateSettings& settings_;
  const SearchControl& control_;
  StudySystem system_;
  SearchSpace space_;
  const SearchMethod& method_;
  EstimateReport report_;
  std::vector<Experiment> experiments_;
  std::optional<Trials> trials_;
  std::size_t sample_times_ = 0;
  std::optional<double> scale_;     // 1 / |r| of the first point
  std::optional<double> at_start_;  // the objective of the search
};

}  // namespace
}  // namespace studies

EstimateReport run_estimate(const Study& study, const SearchControl& control, const Log& log) {
  return studies::Estimation(study, control, log).run();
}

}  // namespace tutti
