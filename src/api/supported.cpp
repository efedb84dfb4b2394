// SPDX-License-Identifier: BSD-2-Clause
#include "api/supported.hpp"

#include "api/system_setup.hpp"
#include "master/coupling/coupling_method.hpp"

namespace tutti::api {

void check_supported(const System& system, system::Problems& problems) {
  const ControlSettings& control = system.simulation.control;
  const auto check_list = [&](const std::vector<std::string>& methods, const Place& place) {
    for (std::size_t i = 0; i + 1 < methods.size(); ++i)
      if (!master::needs_rollback(methods[i]))
        problems.add(place,
                     fmt::format("a list of methods falls back on the next one where one does not "
                                 "converge, but \"{}\" does not iterate: what follows it would "
                                 "never be used",
                                 methods[i]),
                     {.key = "simulation.method", .hint = "Put it last."});
  };
  check_list(system.simulation.methods, {});
  for (const CycleSettings& cycle : system.cycles) check_list(cycle.methods, cycle.place);
  if (control.min && control.max && *control.min > *control.max)
    problems.add(fmt::format("simulation.control: min = {:.13g} s is more than max = {:.13g} s",
                             *control.min, *control.max),
                 {.key = "simulation.control.min"});
  const bool tests_errors =
      control.name == StepControl::richardson || control.name == StepControl::predictor;
  if (tests_errors && control.atol == 0 && control.rtol == 0)
    problems.add("simulation.control: atol and rtol are both 0, and no step is so exact",
                 {.key = "simulation.control.rtol"});
  if (control.shrink && !(*control.shrink < 1))
    problems.add(fmt::format("%key% = {} must be below 1: a step that fails is made shorter",
                             *control.shrink),
                 {.key = "simulation.control.shrink"});
  if (control.grow && !(*control.grow >= 1))
    problems.add(fmt::format("%key% = {} must be at least 1", *control.grow),
                 {.key = "simulation.control.grow"});
  if (control.safety && !(*control.safety <= 1))
    problems.add(fmt::format("%key% = {} must be at most 1", *control.safety),
                 {.key = "simulation.control.safety"});
}

}  // namespace tutti::api
