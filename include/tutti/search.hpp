// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>
#include <tutti/export.hpp>
#include <vector>

/// Search methods of `tutti estimate` and `tutti optimize`.
namespace tutti {

struct SearchMethodInfo {
  std::string_view name;       ///< "nelder-mead"
  std::string_view summary;    ///< one line
  bool is_global = false;      ///< searches the whole box between the bounds, which must be finite
  bool least_squares = false;  ///< only for sums of squares: not for tutti optimize
  bool takes_constraints = false;  ///< of tutti optimize
};
/// All of them, sorted by name.
TUTTI_API std::vector<SearchMethodInfo> search_methods();

}  // namespace tutti
