// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/description/context.hpp"

namespace tutti::fmi {

/// <UnitDefinitions> of FMI 1.0.
void read_units_v1(Context& context, pugi::xml_node element);
/// One <Type> of FMI 1.0.
void read_type_v1(Context& context, pugi::xml_node element);

}  // namespace tutti::fmi
