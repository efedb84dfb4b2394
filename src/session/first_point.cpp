// SPDX-License-Identifier: BSD-2-Clause
#include "session/first_point.hpp"

namespace tutti::session {

System only_start(const System& system) {
  System bare = system;
  const SimulationSettings fresh;
  bare.simulation.methods = fresh.methods;
  bare.simulation.control = fresh.control;
  bare.simulation.inputs = fresh.inputs;
  bare.simulation.save_states = fresh.save_states;
  bare.simulation.threads = 1;
  for (CycleSettings& cycle : bare.cycles) cycle.methods.clear();
  for (Connection& connection : bare.connections) connection.inputs = {};
  return bare;
}

}  // namespace tutti::session
