// SPDX-License-Identifier: BSD-2-Clause
#include "api/supported.hpp"

namespace tutti::api {

void check_supported(const System& system, system::Problems& problems) {
  const ControlSettings& control = system.simulation.control;
  if (control.name != StepControl::fixed && control.variant == ControlVariant::pyfmi)
    problems.add(
        "simulation.control.variant = \"pyfmi\" is not supported yet. Try \"tutti\" or \"eas\".");
  if (control.min > control.max)
    problems.add(fmt::format("simulation.control: min = {} s is more than max = {} s", control.min,
                             control.max));
}

}  // namespace tutti::api
