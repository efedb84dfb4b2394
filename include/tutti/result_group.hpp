// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tutti {

/// Recorded variables that are stored at every n-th point only, in a file of their own.
struct ResultGroup {
  std::string name;                    ///< the file is `<results>-<name>`
  std::vector<std::string> variables;  ///< patterns (`*`, `?`) of recorded variables
  std::uint32_t every = 10;
  bool operator==(const ResultGroup&) const = default;
};

}  // namespace tutti
