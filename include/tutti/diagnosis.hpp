// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/export.hpp>
#include <tutti/plot.hpp>
#include <tutti/simulation.hpp>

/// What limited the steps of the solvers of model-exchange FMUs in a run (SolverDiagnosis), for
/// people.
namespace tutti {

/// A table for each solver that was asked to collect it: states by how often they limited a step.
TUTTI_API std::string diagnosis_text(const RunReport& report);
/// Step size, order and limiting state over time.
/// @throws Error(usage) if no solver has collected anything
TUTTI_API Figure diagnosis_figure(const RunReport& report);

}  // namespace tutti
