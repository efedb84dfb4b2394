// SPDX-License-Identifier: BSD-2-Clause
#include "api/supported.hpp"

namespace tutti::api {

void check_supported(const System& system, system::Problems& problems) {
  const ControlSettings& control = system.simulation.control;
  if (control.name != StepControl::fixed && control.variant == ControlVariant::pyfmi)
    problems.add(
        "simulation.control.variant = \"pyfmi\" is not supported yet. Try \"tutti\" or \"eas\".");
  if (control.min && control.max && *control.min > *control.max)
    problems.add(fmt::format("simulation.control: min = {} s is more than max = {} s", *control.min,
                             *control.max));
  if (control.name == StepControl::richardson && control.atol == 0 && control.rtol == 0)
    problems.add("simulation.control: atol and rtol are both 0, and no step is so exact");
  if (control.shrink && !(*control.shrink < 1))
    problems.add(fmt::format(
        "simulation.control.shrink = {} must be below 1: a step that fails is made shorter",
        *control.shrink));
  if (control.grow && !(*control.grow >= 1))
    problems.add(fmt::format("simulation.control.grow = {} must be at least 1", *control.grow));
  if (control.safety && !(*control.safety <= 1))
    problems.add(fmt::format("simulation.control.safety = {} must be at most 1", *control.safety));
}

}  // namespace tutti::api
