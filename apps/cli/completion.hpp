// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string_view>

namespace tutti::cli {

struct CompletionScript {
  std::string_view shell, text;
};
/// One for each shell, sorted by name.
std::span<const CompletionScript> completion_scripts();

}  // namespace tutti::cli
