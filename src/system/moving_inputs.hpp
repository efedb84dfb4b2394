// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <tutti/system.hpp>

namespace tutti::system {

/// Whether any of these inputs may change inside a step: continuous doubles may.
bool any_moves(const ModelDescription& description, std::span<const std::int32_t> inputs);

/// Whether a co-simulation FMU can follow those of its inputs that move. FMI 1.0 and 2.0 are told
/// derivatives before the step; FMI 3.0 asks inside the step, for inputs that allow it.
bool follows_inputs(const ModelDescription& description, std::span<const std::int32_t> inputs);
/// Whether a component can: one of model exchange always does.
bool follows_inputs(const Component& component, const ModelDescription& description,
                    std::span<const std::int32_t> inputs);

}  // namespace tutti::system
