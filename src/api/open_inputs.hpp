// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include "base/text.hpp"

namespace tutti::api {

/// The note on inputs without a source. @pre there are some
inline std::string open_inputs_text(const std::vector<std::string>& names) {
  return fmt::format("not connected, so {} start value: {}",
                     names.size() == 1 ? "it keeps its" : "they keep their", list_some(names));
}

}  // namespace tutti::api
