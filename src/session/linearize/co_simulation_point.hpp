// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "session/linearize/component_point.hpp"

namespace tutti::session {

/// Ways to the equations behind a co-simulation FMU. Each returns nothing if it does not apply, and
/// throws Error if it fails.

/// The FMU has a model-exchange interface, and its states can be read: an instance of that is set
/// to the same states and inputs, and compared.
std::optional<ComponentModel> by_model_exchange(const ComponentPoint& point);
/// Directional derivatives with respect to states that ModelStructure lists.
std::optional<ComponentModel> by_listed_states(const ComponentPoint& point);
/// A fit to small steps from the point, to which the instance is rolled back.
std::optional<ComponentModel> by_small_steps(const ComponentPoint& point,
                                             const ComponentModel& feed_through);
/// The same, and everything else that only instances at the start allow.
std::optional<ComponentModel> by_new_instances(const ComponentPoint& point);

}  // namespace tutti::session
