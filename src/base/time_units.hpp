// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string_view>

namespace tutti {

/// Seconds in a unit of time as heads of tables write it: `ms`, `min`, `h`. Nothing: not known. No
/// unit means seconds.
std::optional<double> seconds_in(std::string_view unit);

}  // namespace tutti
