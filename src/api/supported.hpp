// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system.hpp>

#include "system/place.hpp"

namespace tutti::api {

/// Settings that can be written in a system file, but that the master cannot follow yet.
void check_supported(const System& system, system::Problems& problems);

}  // namespace tutti::api
