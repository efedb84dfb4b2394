// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/model_description.hpp>

namespace tutti::fmi {

/// The first variable that needs the ticks of a clock: it belongs to one, or the model structure
/// makes it depend on one (FMI 3.0, 2.2.8.3). Null: whether the clocks of the FMU tick or not
/// changes no value, so that it runs without.
const Variable* find_clocked(const ModelDescription& description);

}  // namespace tutti::fmi
