// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace tutti::studies {

/// The text of a failure without its numbers, so that failures of one kind, as at different times,
/// are counted together. Numbers in names stay: `tank2`.
std::string failure_kind(std::string_view failure);

}  // namespace tutti::studies
