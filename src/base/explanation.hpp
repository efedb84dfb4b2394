// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace tutti {

/// The long description of a table row, for tutti::topics().
struct Explanation {
  std::string_view text = {};  ///< purpose, cost and requirements, in sentences
  std::string_view page = {};  ///< documentation page with the equations; empty: that of its kind
};

}  // namespace tutti
