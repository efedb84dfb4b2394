// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/log.hpp>

#include "formats/eas/parse.hpp"
#include "system/place.hpp"

namespace tutti::formats::eas {

/// The cycles of the graph become cycles of the system that call their components in the order of
/// their numbers. Priorities and cycles of the file are held against the graph.
/// @pre the components of the system are the simulators of the file
void add_order(const Configuration& file, System& system, const Log& log,
               system::Problems& problems);

}  // namespace tutti::formats::eas
