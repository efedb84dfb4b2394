// SPDX-License-Identifier: BSD-2-Clause
#include "execution/monitor.hpp"

namespace tutti::execution {

std::string_view activity(Monitor::Phase phase, std::string_view stepping) {
  switch (phase) {
    case Monitor::Phase::opening:
      return "while the FMUs were read";
    case Monitor::Phase::loading:
      return "while it was loaded and instantiated";
    case Monitor::Phase::initializing:
      return "while it was initialized";
    case Monitor::Phase::searching:
      return "while a steady state was searched";
    case Monitor::Phase::resuming:
      return "while its state was restored from the checkpoint (FMI requires that a serialized "
             "state can be restored in another process; if an FMU cannot do that, restart the run)";
    case Monitor::Phase::stepping:
      return stepping;
    case Monitor::Phase::looking_ahead:
      return "while it looked ahead over the first step, which is rolled back (try "
             "simulation.inputs.start = \"constant\")";
    default:
      return "while it was terminated and freed";
  }
}

}  // namespace tutti::execution
