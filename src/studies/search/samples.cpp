// SPDX-License-Identifier: BSD-2-Clause
#include "studies/search/samples.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::studies {
namespace {

double violation_of(const Evaluation& evaluation) {
  double largest = 0;
  for (const double value : evaluation.constraints) largest = std::max(largest, value);
  return largest > feasibility_tolerance ? largest : 0;
}

}  // namespace

Evaluation Samples::at(const Point& x) {
  const Evaluation evaluation = beside({&x, 1}).front();
  consider(x, evaluation);
  return evaluation;
}

std::vector<Evaluation> Samples::beside(std::span<const Point> points) {
  if (points.empty()) return {};
  std::vector<Evaluation> all = problem_.evaluate(points);
  evaluations_ += points.size();
  for (const Evaluation& one : all) {
    if (!one.is_valid)
      ++failed_;
    else if (best_.empty() || one.objective > worst_)
      worst_ = one.objective;
  }
  return all;
}

void Samples::consider(const Point& x, const Evaluation& evaluation) {
  if (!evaluation.is_valid) return;
  const double violation = violation_of(evaluation);
  const bool is_better = best_.empty() || violation < violation_ ||
                         (violation == violation_ && evaluation.objective < at_best_.objective);
  if (!is_better) return;
  best_ = x;
  at_best_ = evaluation;
  violation_ = violation;
}

double Samples::objective_of(const Evaluation& evaluation) const {
  if (evaluation.is_valid) return evaluation.objective;
  // Finite, because methods that fit models to values cannot use infinity.
  return worst_ + std::max(std::abs(worst_ - at_best_.objective), 1e-3 * std::abs(worst_) + 1e-12);
}

std::vector<double> Samples::constraints_of(const Evaluation& evaluation) const {
  if (evaluation.is_valid) return evaluation.constraints;
  return std::vector<double>(problem_.constraints, 1 + violation_);
}

SearchResult Samples::result(SearchEnd end) const {
  SearchResult result{.x = best_, .at_x = at_best_, .end = end};
  result.is_feasible = violation_ == 0;
  result.evaluations = evaluations_;
  result.failed = failed_;
  return result;
}

namespace {

/// Steps from x for one unknown: f'(x) h is the sum of the weights times the values there, and of
/// `of_x` times the value at x.
struct Stencil {
  double h = 0;
  std::vector<double> steps, weights;  // steps in multiples of h
  double of_x = 0;
};

// Runs with an adaptive step size have errors of about 1e-8 to 1e-6, relatively. Steps that are
// this large keep them out of the derivatives; the error of forward differences (about h) slows a
// search, that of central ones (about h^2) limits its accuracy.
constexpr double forward_step = 1e-4, central_step = 3e-4;

Stencil stencil_of(double x, double lower, double upper, Differences kind) {
  const bool is_central = kind == Differences::central;
  Stencil stencil;
  stencil.h = (is_central ? central_step : forward_step) * std::max(1.0, std::abs(x));
  stencil.h = std::min(stencil.h, (upper - lower) / 4);
  const double h = stencil.h;
  if (!is_central) {
    const double sign = x + h <= upper ? 1 : -1;
    return {h, {sign}, {sign}, -sign};
  }
  if (x - h >= lower && x + h <= upper) return {h, {1, -1}, {0.5, -0.5}, 0};
  const double sign = x + 2 * h <= upper ? 1 : -1;  // of second order, at a bound
  return {h, {sign, 2 * sign}, {2 * sign, -0.5 * sign}, -1.5 * sign};
}

Stencil other_side(const Stencil& stencil, double x, double lower, double upper) {
  const double sign = -stencil.steps.front();
  if (x + sign * stencil.h < lower || x + sign * stencil.h > upper) return {};
  return {stencil.h, {sign}, {sign}, -sign};
}

}  // namespace

std::size_t count_of_differences(std::size_t unknowns, Differences kind) {
  // One more for each unknown where a point fails.
  return unknowns * (kind == Differences::central ? 3 : 2);
}

Slopes slopes_at(Samples& samples, const Point& x, const Evaluation& at_x, const ValuesOf& values,
                 Differences kind) {
  const SearchProblem& problem = samples.problem();
  const std::vector<double> center = values(at_x);
  Slopes slopes;
  slopes.columns.resize(x.size());
  std::vector<std::size_t> open(x.size());
  std::vector<Stencil> stencils;
  for (std::size_t j = 0; j < x.size(); ++j) {
    open[j] = j;
    stencils.push_back(stencil_of(x[j], problem.lower[j], problem.upper[j], kind));
  }
  for (const bool again : {false, true}) {
    std::vector<Point> points;
    for (const std::size_t j : open)
      for (const double step : stencils[j].steps) {
        points.push_back(x);
        points.back()[j] += step * stencils[j].h;
      }
    const std::vector<Evaluation> found = samples.beside(points);
    std::vector<std::size_t> failed;
    std::size_t next = 0;
    for (const std::size_t j : open) {
      const Stencil& stencil = stencils[j];
      std::vector<double>& column = slopes.columns[j];
      column.resize(center.size());
      bool is_valid = stencil.h > 0;
      for (std::size_t i = 0; i < center.size(); ++i) column[i] = stencil.of_x * center[i];
      for (const double weight : stencil.weights) {
        const Evaluation& one = found[next++];
        is_valid = is_valid && one.is_valid;
        if (!is_valid) continue;
        const std::vector<double> there = values(one);
        for (std::size_t i = 0; i < center.size(); ++i) column[i] += weight * there[i];
      }
      for (double& value : column) value = is_valid ? value / stencil.h : 0;
      if (!is_valid) failed.push_back(j);
    }
    open = failed;
    if (again || open.empty()) break;
    for (const std::size_t j : open)
      stencils[j] = other_side(stencils[j], x[j], problem.lower[j], problem.upper[j]);
  }
  slopes.unknown = open;
  return slopes;
}

}  // namespace tutti::studies
