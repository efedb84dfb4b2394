// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system.hpp>

#include "formats/toml/keys.hpp"
#include "system/place.hpp"

namespace tutti::formats {

/// Settings of a system that was made by a program, against the rules of the keys that have them in
/// a file: known words, ranges of numbers. What the planning of a run checks anyway is left out.
void check_settings(const System& system, const Words& words, system::Problems& problems);

}  // namespace tutti::formats
