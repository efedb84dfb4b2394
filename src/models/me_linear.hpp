// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "fmi/model_exchange.hpp"
#include "fmi/shape.hpp"
#include "models/linear_equations.hpp"

namespace tutti::models {

/// Linearizes the equations of a model-exchange FMU or a cluster: by directional derivatives where
/// it has them, else by central differences. Columns that ModelStructure keeps apart are evaluated
/// together (CPR colouring), and a combination of all columns checks what it states.
/// @pre the FMU is in continuous-time mode at time t; the caller restores states and inputs
LinearEquations linearize(fmi::ModelExchange& fmu, const fmi::StructuralValues& structure, double t,
                          std::span<const double> x, const LinearQuestion& question);

}  // namespace tutti::models
