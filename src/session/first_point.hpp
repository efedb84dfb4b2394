// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system.hpp>

namespace tutti::session {

/// The system up to its first point: the later coupling does not matter.
System only_start(const System& system);

}  // namespace tutti::session
