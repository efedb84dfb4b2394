// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace tutti::fmi {

/// The bytes of a shared library of ours that can take the place of the library `name`, which
/// current systems lack and FMUs of former times need; empty if there is none.
std::string_view stand_in_for(std::string_view name);

}  // namespace tutti::fmi
