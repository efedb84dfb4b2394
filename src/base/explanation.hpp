// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace tutti {

/// What a row of a table says at length of the part that it adds: for tutti::topics().
struct Explanation {
  std::string_view text = {};  ///< what it is good for, what it costs and needs, in sentences
  std::string_view page = {};  ///< of the documentation, with its equations; empty: that of its kind
};

}  // namespace tutti
