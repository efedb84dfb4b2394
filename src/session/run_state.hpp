// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/codec.hpp"
#include "master/loop.hpp"
#include "models/run_needs.hpp"
#include "session/prepared_system.hpp"

namespace tutti::session {

class RunningSystem;

/// A run at a communication point, for another process that has initialized the same system.
struct RunState {
  models::RunNeeds needs;
  struct Island {
    std::size_t coupling = 0;
    std::vector<double> memory;  ///< see master::Checkpoint
    master::Loop::Memory loop;
    std::vector<std::string> instances;
  };
  std::vector<Island> islands;
  std::vector<double> lines;
  std::uint64_t next_action = 0;  ///< index of the next action
};

/// @throws Error(capability) with the components whose state cannot be written
void check_writable(const PreparedSystem& prepared);
/// @pre check_writable()
RunState state_of(RunningSystem& running, const models::RunNeeds& needs);
/// @pre the system is initialized, with the same needs
void restore(RunningSystem& running, const RunState& state);

/// Makes the setup that of a run that continues from the state, with values set as a user writes
/// them.
/// @throws Error(usage) for what cannot be set
void resume_from(const std::string& state,
                 const std::vector<std::pair<std::string, std::string>>& set,
                 PreparedSystem& prepared, RunSetup& setup);

}  // namespace tutti::session

namespace tutti {

TUTTI_FIELDS(models::FmuNeeds, 3);
TUTTI_FIELDS(models::RunNeeds::ShortSteps, 3);
TUTTI_FIELDS(models::RunNeeds, 7);
TUTTI_FIELDS(master::Loop::Memory, 8);
TUTTI_FIELDS(session::RunState::Island, 4);
TUTTI_FIELDS(session::RunState, 4);

}  // namespace tutti
