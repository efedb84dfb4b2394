// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>

#include "solvers/ode/ode.hpp"

namespace tutti::solvers {

using Make = std::unique_ptr<OdeIntegrator>(OdeProblem& problem, const OdeOptions& options);
Make make_arkode_explicit, make_arkode_implicit, make_arkode_imex, make_automatic, make_cvode_adams,
    make_cvode_bdf, make_dop853, make_dopri5, make_euler, make_ida, make_implicit_euler,
    make_radau5, make_rk34, make_rk4, make_rodas;

extern const std::array<OptionRow, 4> dop853_options;
extern const std::array<OptionRow, 4> dopri5_options;
extern const OptionRow fixed_step_options[1];
extern const OptionRow implicit_euler_options[3];
extern const OptionRow radau5_options[11];
extern const OptionRow rodas_options[4];
std::span<const OptionRow> arkode_explicit_options();
std::span<const OptionRow> arkode_implicit_options();
std::span<const OptionRow> arkode_imex_options();
std::span<const OptionRow> cvode_adams_options();
std::span<const OptionRow> cvode_bdf_options();
std::span<const OptionRow> ida_options();

namespace {

constexpr OdeForm any_form[] = {OdeForm::explicit_ode, OdeForm::mass_matrix, OdeForm::implicit,
                                OdeForm::split};
constexpr OdeForm explicit_or_split[] = {OdeForm::explicit_ode, OdeForm::split};
constexpr OdeForm all_but_split[] = {OdeForm::explicit_ode, OdeForm::mass_matrix,
                                     OdeForm::implicit};
constexpr OdeForm explicit_or_mass[] = {OdeForm::explicit_ode, OdeForm::mass_matrix};

}  // namespace

std::span<const OdeEntry> ode_integrators() {
  static const OdeEntry entries[] = {
      {"arkode-explicit", "explicit Runge-Kutta methods by name (SUNDIALS ARKODE)", false,
       make_arkode_explicit, arkode_explicit_options(), 8},
      {"arkode-imex", "implicit and explicit Runge-Kutta pairs for split problems (ARKODE)", false,
       make_arkode_imex, arkode_imex_options(), 5, true, explicit_or_split},
      {"arkode-implicit",
       "diagonally implicit Runge-Kutta methods by name, for stiff models (ARKODE)", false,
       make_arkode_implicit, arkode_implicit_options(), 5, true},
      {"auto",
       "chooses a solver, and changes to a stiff one when stability limits the steps",
       false,
       make_automatic,
       {},
       8,
       true,
       any_form},
      {"cvode", "variable order and step, for stiff models (SUNDIALS CVODE, BDF)", false,
       make_cvode_bdf, cvode_bdf_options(), 5, true},
      {"cvode-adams", "variable order and step, for models that are not stiff (CVODE, Adams)",
       false, make_cvode_adams, cvode_adams_options(), 12},
      {"dop853", "Dormand-Prince of order 8, for smooth models and tight tolerances", false,
       make_dop853, dop853_options, 8},
      {"dopri5", "Dormand-Prince of order 5, for models that are not stiff", false, make_dopri5,
       dopri5_options, 5},
      {"euler", "explicit Euler, one step per communication step, or steps of h", true, make_euler,
       fixed_step_options, 1},
      {"ida", "variable order and step, for DAEs of index 1 and stiff models (SUNDIALS IDA, BDF)",
       false, make_ida, ida_options(), 5, true, all_but_split},
      {"implicit-euler", "implicit Euler with steps of constant size, for stiff models", false,
       make_implicit_euler, implicit_euler_options, 1, true, all_but_split},
      {"radau5", "Radau IIA of order 5, for stiff models and differential-algebraic equations",
       false, make_radau5, radau5_options, 5, true, all_but_split},
      {"rk34",
       "Runge-Kutta of order 4 with an error estimate that rejects no step",
       false,
       make_rk34,
       {},
       4},
      {"rk4", "classical Runge-Kutta of order 4, one step per communication step, or steps of h",
       true, make_rk4, fixed_step_options, 4},
      {"rodas", "Rosenbrock method RODAS of order 4, for stiff models with exact df/dy and df/dt",
       false, make_rodas, rodas_options, 4, true, explicit_or_mass},
  };
  return entries;
}

const OdeEntry* find_ode_integrator(std::string_view name) {
  const std::span<const OdeEntry> entries = ode_integrators();
  const auto found = std::ranges::find(entries, name, &OdeEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace tutti::solvers

std::vector<tutti::SolverInfo> tutti::ode_solvers() {
  std::vector<SolverInfo> known;
  for (const solvers::OdeEntry& entry : solvers::ode_integrators()) {
    SolverInfo info{.name = entry.name,
                    .summary = entry.summary,
                    .forms = {entry.forms.begin(), entry.forms.end()},
                    .order = entry.order,
                    .fixed_step = entry.fixed_step,
                    .sparse = entry.sparse,
                    .options = {}};
    if (info.forms.empty()) info.forms = {OdeForm::explicit_ode};
    for (const solvers::OptionRow& row : entry.options)
      info.options.push_back({row.name,
                              row.default_value,
                              row.summary,
                              row.minimum,
                              row.maximum,
                              {row.words.begin(), row.words.end()}});
    known.push_back(std::move(info));
  }
  return known;
}
