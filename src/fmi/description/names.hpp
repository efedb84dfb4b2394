// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace tutti::fmi {

/// Whether a name follows variableNamingConvention = "structured" (FMI 2.0, section 2.2.9;
/// FMI 3.0, section 2.4.7.5.1), for example `der(pipe[3,4].T[14],2)` or `robot.'motor #234'`.
bool is_structured_name(std::string_view name);

}  // namespace tutti::fmi
