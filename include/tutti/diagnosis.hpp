// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/export.hpp>
#include <tutti/plot.hpp>
#include <tutti/simulation.hpp>

/// Reports on what limited the solver steps of model-exchange FMUs in a run (SolverDiagnosis).
namespace tutti {

/// A table for each solver with a diagnosis: states by how often they limited a step.
TUTTI_API std::string diagnosis_text(const RunReport& report);
/// Step size, order and limiting state over time.
/// @throws Error(usage) if no solver has a diagnosis
TUTTI_API Figure diagnosis_figure(const RunReport& report);

}  // namespace tutti
