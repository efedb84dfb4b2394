// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/estimate.hpp>

#include "base/text.hpp"
#include "studies/fit/constraint.hpp"
#include "studies/fit/search_run.hpp"

namespace tutti {
namespace studies {
namespace {

/// A constraint counts as active where it is satisfied by less than this part of its magnitude.
constexpr double active_within = 1e-4;

double magnitude(double a, double b) {
  const double larger = std::max(std::abs(a), std::abs(b));
  return larger > 0 ? larger : 1;
}

std::string default_method(const Study& study) {
  if (!study.optimize->method.empty()) return study.optimize->method;
  if (!study.optimize->constraints.empty()) return "cobyla";  // max() and the like have corners
  return study.parameters.size() == 1 ? "nelder-mead" : "bobyqa";
}

/// Minimizes a formula of the results of a run.
class Optimization {
 public:
  Optimization(const Study& study, const SearchControl& control, const Log& log)
      : settings_(*study.optimize),
        system_(study, control.set, control.open, log),
        space_(study, system_),
        method_(method_for(default_method(study), study, "optimize.method")) {
    const Place place{.file = study.file.string()};
    CaseSystem cases{system_.system(), space_.names(), {}};
    cases.measures.push_back({settings_.objective});
    for (const std::string& text : settings_.constraints) {
      constraints_.push_back(parse_constraint(text));
      cases.measures.push_back({constraints_.back().left});
      cases.measures.push_back({constraints_.back().right});
    }
    for (const Measure& measure : cases.measures) system_.check_formula(measure, place);
    trials_.emplace(std::vector{std::move(cases)}, space_, control, log);
  }

  OptimizeReport run() {
    OptimizeReport report;
    report.objective = settings_.objective;
    report.maximize = settings_.maximize;
    SearchSummary& summary = report.search;
    summary.method = method_.name;
    const SearchProblem problem =
        problem_of(space_, constraints_.size(),
                   [this](std::span<const Point> points) { return evaluate(points); });
    trials_->report_as([this](double objective) { return shown(objective); }, settings_.max_runs);
    const FoundPoint best = run_search(method_, problem, options_of(settings_), *trials_, summary);
    if (!best.x.empty()) {
      summary.parameters = space_.found(best.x, settings_.tolerance);
      summary.objective = shown(best.at_x.objective);
      if (at_start_) summary.start_objective = shown(*at_start_);
      report.is_feasible = best.is_feasible;
      report.constraints = reached(best);
      if (!best.is_feasible)
        summary.notes.emplace_back(
            "no point satisfies all constraints: the result violates them least");
    }
    finish_summary(*trials_, "optimize", summary);
    return report;
  }

 private:
  /// The search minimizes the objective over its magnitude at the first point; constraints are
  /// relative, too.
  std::vector<Evaluation> evaluate(std::span<const Point> points) {
    return trials_->evaluate(points, [this](Trial& trial, const Point& x) {
      const std::vector<double>& values = trial.values.front();
      trial.failure = not_finite(values, x);
      Evaluation evaluation;
      if (!trial.failure.empty()) return evaluation;
      if (scale_ == 0) {
        scale_ = (settings_.maximize ? -1 : 1) / magnitude(values[0], 0);
        for (std::size_t c = 0; c < constraints_.size(); ++c)
          magnitudes_.push_back(magnitude(values[1 + 2 * c], values[2 + 2 * c]));
      }
      evaluation.objective = values[0] * scale_;
      for (std::size_t c = 0; c < constraints_.size(); ++c)
        evaluation.constraints.push_back(
            constraints_[c].violation(values[1 + 2 * c], values[2 + 2 * c]) / magnitudes_[c]);
      if (x == space_.start()) at_start_ = evaluation.objective;
      evaluation.residuals = values;  // no method of formulas uses them; for reached()
      return evaluation;
    });
  }

  std::string not_finite(const std::vector<double>& values, const Point& x) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isfinite(values[i])) continue;
      const std::string formula = i == 0 ? fmt::format("the objective \"{}\"", settings_.objective)
                                         : fmt::format("\"{}\" of the constraint \"{}\"",
                                                       i % 2 == 1 ? constraints_[(i - 1) / 2].left
                                                                  : constraints_[(i - 1) / 2].right,
                                                       settings_.constraints[(i - 1) / 2]);
      return fmt::format("{} is {} with {}", formula, std::isnan(values[i]) ? "NaN" : "infinite",
                         space_.described(x));
    }
    return "";
  }

  double shown(double objective) const {
    return std::isnan(objective) ? objective : objective / (scale_ != 0 ? scale_ : 1);
  }

  std::vector<ReachedConstraint> reached(const FoundPoint& best) const {
    const std::vector<double>& values = best.at_x.residuals;
    std::vector<ReachedConstraint> all;
    for (std::size_t c = 0; c < constraints_.size(); ++c) {
      const double violation = best.at_x.constraints[c];
      all.push_back({.formula = settings_.constraints[c],
                     .left = values[1 + 2 * c],
                     .right = values[2 + 2 * c],
                     .is_satisfied = violation <= feasibility_tolerance,
                     .is_active = std::abs(violation) <= active_within});
    }
    return all;
  }

  const OptimizeSettings& settings_;
  StudySystem system_;
  SearchSpace space_;
  const SearchMethod& method_;
  std::vector<Constraint> constraints_;
  std::optional<Trials> trials_;
  double scale_ = 0;                // of the objective; 0: there was no value yet
  std::vector<double> magnitudes_;  // of constraints
  std::optional<double> at_start_;  // the objective of the search
};

}  // namespace
}  // namespace studies

OptimizeReport run_optimize(const Study& study, const SearchControl& control, const Log& log) {
  return studies::Optimization(study, control, log).run();
}

}  // namespace tutti
