// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace tutti {

/// Identifies the sources that this program was built from: two programs with the same id can
/// exchange messages.
std::string_view build_id();

}  // namespace tutti
