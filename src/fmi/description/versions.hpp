// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/description/context.hpp"

namespace tutti::fmi {

// One reader per version of FMI. Each fills context.result.
void read_v1(Context& context);
void read_v2(Context& context);
void read_v3(Context& context);

}  // namespace tutti::fmi
