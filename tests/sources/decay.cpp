// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "decay.h"

double decay_over(double h) { return std::exp(-h); }
