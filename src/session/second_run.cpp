// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "master/stepping/controllers.hpp"
#include "session/automatic.hpp"
#include "session/run_time.hpp"
#include "session/verify.hpp"

namespace tutti::session {
namespace {

constexpr double tenth = 0.1;
// Steps of the second run are so short that values between its points are known, too.
constexpr double points = 500;
constexpr double absolute_part = 0.01;  // of a relative tolerance, as solvers have it

bool errors_choose_steps(const System& system) {
  return is_automatic(system) || master::step_control_of(system.simulation.control).tests_errors;
}

void tighten_components(System& system) {
  for (Component& component : system.components) {
    for (std::optional<double>* const tolerance :
         {&component.tolerance, &component.solver.rtol, &component.solver.atol})
      if (*tolerance) **tolerance *= tenth;
    if (component.solver.max_step) *component.solver.max_step /= 2;
  }
}

void tighten_control(SecondRun& run) {
  IterationSettings& tolerance = run.system.simulation.tolerance;
  ControlSettings& control = run.system.simulation.control;
  const bool automatic = is_automatic(run.system);
  run.absolute = automatic ? tolerance.abs : control.atol;
  run.relative = automatic ? tolerance.rel : control.rtol;
  for (double* const value : {&tolerance.abs, &tolerance.rel, &control.atol, &control.rtol})
    *value *= tenth;
  if (control.min) *control.min *= tenth;
  const double longest = std::max((run.stop - run.start) / points, control.min.value_or(0));
  control.max = std::min(control.max.value_or(longest), longest);
  run.change = automatic ? fmt::format("simulation.tolerance = {{ abs = {:.3g}, rel = {:.3g} }}",
                                       tolerance.abs, tolerance.rel)
                         : fmt::format("simulation.control = {{ atol = {:.3g}, rtol = {:.3g} }}",
                                       control.atol, control.rtol);
}

void halve_steps(SecondRun& run) {
  SimulationSettings& simulation = run.system.simulation;
  ControlSettings& control = simulation.control;
  RunSetup setup;
  resolve_time(TimeSettings(run.system), {}, setup);
  simulation.step = setup.step / 2;
  simulation.tolerance.abs *= tenth;
  simulation.tolerance.rel *= tenth;
  for (Component& component : run.system.components)
    if (component.step) *component.step /= 2;
  for (std::optional<double>* const limit : {&control.min, &control.max})
    if (*limit) **limit /= 2;
  if (master::step_control_of(control).chooses_steps && !control.max)
    control.max = std::max(setup.step, (run.stop - run.start) / 10) / 2;
  // The points between those of the first run are of no use.
  if (!master::is_free(control) && !run.system.results.interval)
    run.system.results.interval = setup.step;
  run.change = fmt::format("simulation.step = {:.6g}", *simulation.step);
}

}  // namespace

SecondRun make_second_run(const System& system, const VerifyOptions& options) {
  SecondRun run;
  run.system = system;
  run.start = system.simulation.start.value_or(0);
  run.stop = system.simulation.stop.value_or(run.start + 1);
  if (options.tolerance && !(*options.tolerance > 0 && std::isfinite(*options.tolerance)))
    throw Error(ErrorCode::usage,
                fmt::format("the tolerance {} to verify by is not positive", *options.tolerance),
                {.key = "verify"});
  run.system.results.steps = false;  // of each run its own
  tighten_components(run.system);
  if (errors_choose_steps(system)) {
    tighten_control(run);
  } else {
    if (!options.tolerance)
      throw Error(ErrorCode::usage,
                  "%key% compares with a run of half the step here, because the steps do not "
                  "follow from a tolerance, and needs one to judge by: try %key% 1e-3",
                  {.key = "verify"});
    halve_steps(run);
  }
  if (options.tolerance) {
    run.relative = *options.tolerance;
    run.absolute = absolute_part * run.relative;
  }
  return run;
}

}  // namespace tutti::session
