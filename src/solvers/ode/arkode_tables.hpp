// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>  // the headers of ARKODE need FILE and do not include it

#include <arkode/arkode_butcher_dirk.h>
#include <arkode/arkode_butcher_erk.h>

#include <span>
#include <string_view>

namespace tutti::solvers::arkode {

enum class Family { explicit_method, implicit_method, imex };

/// A method of ARKODE: its coefficients come from there. The numbers in its name are those of
/// stages, order of the embedded method, order.
struct Table {
  ARKODE_DIRKTableID implicit_part = ARKODE_DIRK_NONE;
  ARKODE_ERKTableID explicit_part = ARKODE_ERK_NONE;
  int order = 0;
};

/// For the option `table`; the first one, "", is that of the option `order`.
std::span<const char* const> table_names(Family kind);
/// @pre a name of table_names(), or "": then the default of this order
Table find_table(Family kind, std::string_view name, int order);
/// ERKStep 6.4.1 uses the last stage as the right-hand side at the end of a step wherever c_s = 1,
/// also where that stage is not at the new solution (fixed in 6.6.1: "incorrectly treated as having
/// the first same as last property"): such methods lose order, and need ARKStep.
bool is_right_in_erkstep(ARKODE_ERKTableID method);
int lowest_order(Family kind);
int highest_order(Family kind);

}  // namespace tutti::solvers::arkode
