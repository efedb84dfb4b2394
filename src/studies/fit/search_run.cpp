// SPDX-License-Identifier: BSD-2-Clause
#include "studies/fit/search_run.hpp"

#include <fmt/format.h>

#include <tutti/error.hpp>

#include "base/text.hpp"

namespace tutti::studies {
namespace {

Error start_failed(const Trials& trials) {
  return {ErrorCode::numeric,
          fmt::format("the objective cannot be evaluated at the start values: {}",
                      trials.first_failure()),
          {.hint = "Choose other start values (start of the parameters)."}};
}

Error all_failed(const Trials& trials) {
  return {ErrorCode::numeric,
          fmt::format("none of {} succeeded; most often, {}",
                      counted(trials.evaluations(), "evaluation"), trials.frequent_failure()),
          {.hint = "Check the system with `tutti run`, and the bounds of the parameters."}};
}

}  // namespace

SearchProblem problem_of(const SearchSpace& space, std::size_t constraints, Evaluate evaluate) {
  return {.names = space.names(),
          .start = space.start(),
          .lower = space.lower(),
          .upper = space.upper(),
          .constraints = constraints,
          .evaluate = std::move(evaluate)};
}

FoundPoint run_search(const SearchMethod& method, SearchProblem problem,
                      const SearchOptions& options, const Trials& trials, SearchSummary& summary) {
  // A local method needs a point to start from, and the first one is the start.
  problem.evaluate = [&, evaluate = std::move(problem.evaluate)](std::span<const Point> points) {
    const bool is_first = trials.evaluations() == 0;
    std::vector<Evaluation> found = evaluate(points);
    if (is_first && !method.is_global && !found.front().is_valid) throw start_failed(trials);
    return found;
  };
  FoundPoint best;
  try {
    const SearchResult result = search(method, problem, options);
    summary.end =
        result.end == SearchEnd::converged ? SearchOutcome::converged : SearchOutcome::limit;
    summary.iterations = result.iterations;
    best = {result.x, result.at_x, result.is_feasible};
  } catch (const SearchInterrupted&) {
    summary.end = SearchOutcome::interrupted;
  } catch (const Error& error) {
    if (trials.evaluations() == 0) throw;
    summary.end = SearchOutcome::failed;
    const bool had_start = method.is_global || trials.evaluations() > 1;
    summary.error = trials.best().empty() && had_start ? all_failed(trials) : error;
  }
  if (best.x.empty()) {
    best = {trials.best(), trials.at_best(), true};
    for (const double constraint : best.at_x.constraints)
      best.is_feasible &= constraint <= feasibility_tolerance;
  }
  summary.evaluations = trials.evaluations();
  summary.failed_evaluations = trials.failed();
  return best;
}

void finish_summary(const Trials& trials, std::string_view key, SearchSummary& summary) {
  summary.runs = trials.runs();
  summary.jobs = trials.jobs();
  summary.seconds = trials.seconds();
  for (const FoundParameter& parameter : summary.parameters) {
    if (parameter.at_bound == AtBound::none) continue;
    const bool is_min = parameter.at_bound == AtBound::min;
    summary.notes.push_back(fmt::format("\"{}\" is at its bound, {} = {:.9g}", parameter.name,
                                        is_min ? "min" : "max",
                                        is_min ? *parameter.min : *parameter.max));
  }
  if (summary.end == SearchOutcome::limit)
    summary.notes.push_back(fmt::format(
        "the search ended at the limit {}.max-runs, before it converged: the result may improve "
        "with a larger limit, or with a local method that starts from it",
        key));
  if (summary.failed_evaluations > 0 && summary.end != SearchOutcome::failed)
    summary.notes.push_back(
        fmt::format("evaluations that failed count as bad: {}", trials.frequent_failure()));
}

}  // namespace tutti::studies
