// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/estimate.hpp>

#include "studies/fit/trials.hpp"

namespace tutti::studies {

struct FoundPoint {
  Point x;  ///< empty: no point could be evaluated
  Evaluation at_x;
  bool is_feasible = true;
};

SearchProblem problem_of(const SearchSpace& space, std::size_t constraints, Evaluate evaluate);
template <class Settings>
SearchOptions options_of(const Settings& settings) {
  return {settings.tolerance, settings.max_runs, settings.seed};
}

/// Searches, and notes in the summary how that ended. An interrupted or failed search returns its
/// best point. @throws Error before the first run
FoundPoint run_search(const SearchMethod& method, SearchProblem problem,
                      const SearchOptions& options, const Trials& trials, SearchSummary& summary);

/// Adds counts, and notes on bounds and failures. @param key "estimate" or "optimize"
void finish_summary(const Trials& trials, std::string_view key, SearchSummary& summary);

}  // namespace tutti::studies
