// SPDX-License-Identifier: BSD-2-Clause
#include "studies/fit/trials.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "studies/failure_kind.hpp"

namespace tutti::studies {
namespace {

CaseOptions case_options(const SearchControl& control, const FmuOptions& open) {
  CaseOptions options = control;
  options.open = open;
  return options;
}

double violation_at(const Evaluation& evaluation) {
  double largest = 0;
  for (const double value : evaluation.constraints) largest = std::max(largest, value);
  return largest > feasibility_tolerance ? largest : 0;
}

}  // namespace

std::string experiment_prefix(std::size_t index, std::size_t count) {
  return count > 1 ? fmt::format("experiments[{}]: ", index + 1) : "";
}

Trials::Trials(std::vector<CaseSystem> systems, const SearchSpace& space,
               const SearchControl& control, const Log& log)
    : space_(space),
      control_(control),
      systems_(systems.size()),
      cases_(std::move(systems), case_options(control, control.open), log),
      shown_([](double objective) { return objective; }) {}

void Trials::report_as(std::function<double(double)> shown, std::uint64_t max_evaluations) {
  shown_ = std::move(shown);
  max_evaluations_ = max_evaluations;
}

std::vector<Evaluation> Trials::evaluate(std::span<const Point> points, const Judge& judge) {
  std::vector<Case> all;
  for (const Point& point : points)
    for (std::size_t s = 0; s < systems_; ++s)
      all.push_back({.system = static_cast<std::uint32_t>(s), .values = space_.texts(point)});
  std::vector<CaseResult> results = cases_.run(all);
  for (const CaseResult& result : results)
    if (result.end.kind == RunEnd::Kind::interrupted) throw SearchInterrupted{};
  runs_ += results.size();
  std::vector<Evaluation> evaluations;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Trial trial;
    for (std::size_t s = 0; s < systems_; ++s) {
      CaseResult& result = results[i * systems_ + s];
      if (result.end.error && trial.failure.empty())
        trial.failure = experiment_prefix(s, systems_) + result.end.error->what();
      trial.values.push_back(std::move(result.values));
      trial.ends.push_back(std::move(result.end));
    }
    Evaluation evaluation;
    if (trial.failure.empty()) evaluation = judge(trial, points[i]);
    evaluation.is_valid = trial.failure.empty();
    ++evaluations_;
    if (evaluation.is_valid)
      consider(points[i], evaluation);
    else
      note_failure(trial);
    evaluations.push_back(std::move(evaluation));
  }
  if (control_.searching)
    control_.searching({.evaluations = evaluations_,
                        .max_evaluations = std::max(max_evaluations_, evaluations_),
                        .best = shown_(at_best_.objective)});
  return evaluations;
}

void Trials::note_failure(const Trial& trial) {
  ++failed_;
  Failure& failure = failures_[failure_kind(trial.failure)];
  if (failure.count++ == 0) failure.example = trial.failure;
  if (first_failure_.empty()) first_failure_ = trial.failure;
}

void Trials::consider(const Point& x, const Evaluation& evaluation) {
  const double violation = violation_at(evaluation);
  if (!best_.empty() && (violation > violation_ ||
                         (violation == violation_ && !(evaluation.objective < at_best_.objective))))
    return;
  best_ = x;
  at_best_ = evaluation;
  violation_ = violation;
}

double Trials::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

std::string Trials::frequent_failure() const {
  const auto most =
      std::ranges::max_element(failures_, {}, [](const auto& one) { return one.second.count; });
  if (most == failures_.end()) return "";
  return fmt::format("{} of {}: {}", most->second.count, counted(evaluations_, "evaluation"),
                     most->second.example);
}

}  // namespace tutti::studies
