// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

std::unique_ptr<OdeIntegrator> make_cvode_adams(OdeProblem& problem, const OdeOptions& options);
std::unique_ptr<OdeIntegrator> make_cvode_bdf(OdeProblem& problem, const OdeOptions& options);
std::unique_ptr<OdeIntegrator> make_euler(OdeProblem& problem, const OdeOptions& options);
std::unique_ptr<OdeIntegrator> make_rk4(OdeProblem& problem, const OdeOptions& options);

namespace {

constexpr OdeEntry entries[] = {
    {"cvode", "variable order and step, for stiff models (SUNDIALS CVODE, BDF)", false,
     make_cvode_bdf},
    {"cvode-adams", "variable order and step, for models that are not stiff (CVODE, Adams)", false,
     make_cvode_adams},
    {"euler", "explicit Euler, one step per communication step", true, make_euler},
    {"rk4", "classical Runge-Kutta of order 4, one step per communication step", true, make_rk4},
};

}  // namespace

std::span<const OdeEntry> ode_integrators() { return entries; }

const OdeEntry* find_ode_integrator(std::string_view name) {
  const auto* const found = std::ranges::find(entries, name, &OdeEntry::name);
  return found == std::end(entries) ? nullptr : found;
}

}  // namespace tutti::solvers

std::vector<tutti::SolverInfo> tutti::ode_solvers() {
  std::vector<SolverInfo> known;
  for (const solvers::OdeEntry& entry : solvers::entries)
    known.push_back({entry.name, entry.summary});
  return known;
}
