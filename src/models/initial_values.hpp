// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "models/value_set.hpp"

namespace tutti::models {

/// In initialization mode only some variables move at a time: those that are known by then.
void set_part(fmi::FmuInstance& instance, const ValueSet& inputs,
              std::span<const std::int32_t> variables, const StructuralValues& structure);
void get_part(fmi::FmuInstance& instance, ValueSet& outputs,
              std::span<const std::int32_t> variables, const StructuralValues& structure);
/// d(unknowns)/d(knowns) * seed, for scalars of double precision. False: the FMU cannot tell.
bool differentiate_part(fmi::FmuInstance& instance, std::span<const std::int32_t> unknowns,
                        std::span<const std::int32_t> knowns, std::span<const double> seed,
                        std::span<double> sensitivity);

}  // namespace tutti::models
