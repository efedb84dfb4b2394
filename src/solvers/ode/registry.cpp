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
  constexpr std::string_view page = "docs/algorithms/integrators.md";
  // clang-format off
  static const OdeEntry entries[] = {
      {.name = "arkode-explicit", .summary = "explicit Runge-Kutta methods by name (SUNDIALS ARKODE)", .make = make_arkode_explicit, .options = arkode_explicit_options(), .order = 8,
       .about = {"Explicit Runge-Kutta methods of order 2 to 8 with their embedded error estimates, chosen by name. For models that are not stiff, and to compare methods. dop853 and dopri5 need fewer evaluations in most cases.", page}},
      {.name = "arkode-imex", .summary = "implicit and explicit Runge-Kutta pairs for split problems (ARKODE)", .make = make_arkode_imex, .options = arkode_imex_options(), .order = 5, .sparse = true, .forms = explicit_or_split,
       .about = {"Treats the stiff part of x' = fE + fI implicitly and the rest explicitly. For programs that provide these two parts. Needs a Jacobian of the implicit part, exact or by differences.", page}},
      {.name = "arkode-implicit", .summary = "diagonally implicit Runge-Kutta methods by name, for stiff models (ARKODE)", .make = make_arkode_implicit, .options = arkode_implicit_options(), .order = 5, .sparse = true,
       .about = {"Diagonally implicit Runge-Kutta methods of order 2 to 5, chosen by name. For stiff models with many events, because they restart at full order, and for oscillations with little damping. Needs a Jacobian, exact or by differences, also sparse.", page}},
      {.name = "auto", .summary = "chooses a solver, and changes to a stiff one when stability limits the steps", .make = make_automatic, .order = 8, .sparse = true, .forms = any_form,
       .about = {"Chooses by the form and size of the problem, the tolerance and the Jacobian that is available. It starts with an explicit method and changes to a stiff one when stability limits the steps. For unknown models; the statistics report its choice.", page}},
      {.name = "cvode", .summary = "variable order and step, for stiff models (SUNDIALS CVODE, BDF)", .make = make_cvode_bdf, .options = cvode_bdf_options(), .order = 5, .sparse = true,
       .about = {"The default for model-exchange FMUs. For stiff models, above all if evaluations are expensive or states are many: it keeps its Jacobian for many steps, and uses its sparsity. Costs one to two evaluations per step. Slow for oscillations with little damping (try radau5) and for many events (try a one-step method), where it restarts at order 1.", page}},
      {.name = "cvode-adams", .summary = "variable order and step, for models that are not stiff (CVODE, Adams)", .make = make_cvode_adams, .options = cvode_adams_options(), .order = 12,
       .about = {"For smooth models that are not stiff, if evaluations are expensive: one to two evaluations per step, orders up to 12. Events are expensive, because it restarts at order 1.", page}},
      {.name = "dop853", .summary = "Dormand-Prince of order 8, for smooth models and tight tolerances", .make = make_dop853, .options = dop853_options, .order = 8,
       .about = {"For smooth models that are not stiff and tolerances below about 1e-6: the fewest evaluations or close to it. 12 evaluations per step, 3 more for its dense output of order 7. Restarts at full order after events.", page}},
      {.name = "dopri5", .summary = "Dormand-Prince of order 5, for models that are not stiff", .make = make_dopri5, .options = dopri5_options, .order = 5,
       .about = {"For models that are not stiff, and tolerances above about 1e-6. 6 evaluations per step, dense output of order 4. Restarts at full order after events, so it suits models with many of them.", page}},
      {.name = "euler", .summary = "explicit Euler, one step per communication step, or steps of h", .fixed_step = true, .make = make_euler, .options = fixed_step_options, .order = 1,
       .about = {"One evaluation per step, of order 1, without error control. To compare with other masters and with code for real time. Choose a small step: errors shrink only with its first power, and events are detected at its end.", page}},
      {.name = "ida", .summary = "variable order and step, for DAEs of index 1 and stiff models (SUNDIALS IDA, BDF)", .make = make_ida, .options = ida_options(), .order = 5, .sparse = true, .forms = all_but_split,
       .about = {"For differential-algebraic equations of index 1 and stiff models, if evaluations are expensive or equations are many: it keeps its Jacobian for many steps, and uses its sparsity. Consistent start values are computed.", page}},
      {.name = "implicit-euler", .summary = "implicit Euler with steps of constant size, for stiff models", .make = make_implicit_euler, .options = implicit_euler_options, .order = 1, .sparse = true, .forms = all_but_split,
       .about = {"Steps of constant size, of order 1, without error control: events are detected and located, errors are not. For stiff models in comparisons, and for results that must not oscillate. Solves a system of equations in each step.", page}},
      {.name = "radau5", .summary = "Radau IIA of order 5, for stiff models and differential-algebraic equations", .make = make_radau5, .options = radau5_options, .order = 5, .sparse = true, .forms = all_but_split,
       .about = {"For stiff models with few states, small tolerances and events, and for oscillations with little damping, where methods of CVODE are slow: A-stable and stiffly accurate. 2 to 9 times faster than cvode on small problems. Also for mass matrices and differential-algebraic equations. Factorizes a real and a complex system.", page}},
      {.name = "rk34", .summary = "Runge-Kutta of order 4 with an error estimate but no rejected steps", .make = make_rk34, .order = 4,
       .about = {"As RungeKutta34 of Assimulo, for comparisons: the error chooses the size of the next step, but no step is repeated. Set first-step. 5 evaluations per step; fails on stiff models. dopri5 is the better choice otherwise.", page}},
      {.name = "rk4", .summary = "classical Runge-Kutta of order 4, one step per communication step, or steps of h", .fixed_step = true, .make = make_rk4, .options = fixed_step_options, .order = 4,
       .about = {"Four evaluations per step, of order 4, without error control. To compare with other masters and with code for real time. Events are detected at the end of a step.", page}},
      {.name = "rodas", .summary = "Rosenbrock method RODAS of order 4, for stiff models with exact df/dy and df/dt", .make = make_rodas, .options = rodas_options, .order = 4, .sparse = true, .forms = explicit_or_mass,
       .about = {"For stiff models with few states and tolerances above 1e-6: L-stable, solves linear equations only, without iteration. Needs the exact Jacobian and df/dt: an FMU needs directional derivatives. Also for mass matrices. One Jacobian per step.", page}},
  };
  // clang-format on
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
