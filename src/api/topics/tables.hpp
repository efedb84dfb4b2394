// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/explain.hpp>

/// Topics from the tables of the parts, one function per kind.
namespace tutti::api {

using Topics = std::vector<Topic>;

void add_keys(Topics& all);
void add_coupling_methods(Topics& all);
void add_step_controls(Topics& all);
void add_solvers(Topics& all);
void add_search_methods(Topics& all);
void add_components(Topics& all);
void add_formats(Topics& all);  ///< of results and of systems
void add_rules(Topics& all);
void add_error_codes(Topics& all);
void add_exit_statuses(Topics& all);

}  // namespace tutti::api
