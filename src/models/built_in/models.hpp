// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "models/built_in/built_in.hpp"

/// The rows of the table, each in the file of its name.
namespace tutti::models {

extern const BuiltInEntry constant_entry, delay_entry, expression_entry, gain_entry, pulse_entry,
    ramp_entry, sine_entry, step_entry, sum_entry, table_entry;

}  // namespace tutti::models
