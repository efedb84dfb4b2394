// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "studies/search/search.hpp"

namespace tutti::studies {

/// Least squares with bounds: see the source.
SearchResult search_levenberg_marquardt(const SearchMethod& method, const SearchProblem& problem,
                                        const SearchOptions& options);

}  // namespace tutti::studies
