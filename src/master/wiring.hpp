// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "models/wiring.hpp"

namespace tutti::master {

using models::NoItem;
using models::Wiring;

}  // namespace tutti::master
