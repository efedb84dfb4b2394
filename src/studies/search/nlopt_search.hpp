// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "studies/search/search.hpp"

namespace tutti::studies {

/// A method of NLopt, which is opened at run time.
SearchResult search_nlopt(const SearchMethod& method, const SearchProblem& problem,
                          const SearchOptions& options);

}  // namespace tutti::studies
