// SPDX-License-Identifier: BSD-2-Clause
#include "api/supported.hpp"

namespace tutti::api {

void check_supported(const System& system, system::Problems& problems) {
  const ControlSettings& control = system.simulation.control;
  if (control.name != StepControl::fixed)
    problems.add(
        fmt::format("simulation.control = \"{}\" is not supported yet. Run with a fixed "
                    "step: simulation.control = \"fixed\".",
                    control.name == StepControl::convergence ? "convergence" : "richardson"));
  if (control.clock != TimeStepping::integer)
    problems.add(
        "simulation.control.clock = \"accumulate\" is not supported yet. Run with \"integer\".");
  if (control.end != LastStep::exact)
    problems.add(
        "simulation.control.end = \"overshoot\" is not supported yet. Run with \"exact\".");
}

}  // namespace tutti::api
