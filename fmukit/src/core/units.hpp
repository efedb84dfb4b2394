// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/info.hpp>

#include <string_view>

namespace fmukit {

/// The well-known units that an author need not declare; null for other names.
const BaseUnit* known_unit(std::string_view name);

}  // namespace fmukit
