// SPDX-License-Identifier: BSD-2-Clause
// One FMU of the zoo: ZOO_MODEL is the class.
#include "zoo/models.hpp"

using namespace zoo;

FMUKIT_EXPORT(ZOO_MODEL)
