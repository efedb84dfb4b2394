// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_state.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "session/running_system.hpp"
#include "session/session_values.hpp"
#include "system/make_plan.hpp"

namespace tutti::session {

void check_writable(const PreparedSystem& prepared) {
  const System& system = prepared.system();
  std::vector<std::string> unable;
  for (std::size_t c = 0; c < system.components.size(); ++c) {
    const Capabilities& used =
        system::interface_of(system.components[c], *prepared.models().descriptions[c]);
    if (!used.can_save_state || !used.can_serialize_state)
      unable.push_back(system.components[c].name);
  }
  if (!unable.empty())
    throw Error(ErrorCode::capability,
                fmt::format("the run cannot be written to a file: {} cannot save and serialize {} "
                            "state (canSerializeFMUstate)",
                            list_some(unable), unable.size() == 1 ? "its" : "their"),
                {.component = unable.front()});
}

RunState state_of(RunningSystem& running, const models::RunNeeds& needs) {
  master::Ensemble& system = running.system();
  master::Ensemble::State saved;
  system.save(saved);
  RunState state{needs, {}, std::move(saved.lines), saved.next_action};
  for (std::size_t i = 0; i < saved.islands.size(); ++i) {
    master::Checkpoint& island = saved.islands[i];
    RunState::Island& written = state.islands.emplace_back(
        RunState::Island{island.coupling, island.memory, saved.loops[i], {}});
    for (std::size_t k = 0; k < island.instances.size(); ++k)
      written.instances.push_back(
          system.islands()[i]->instance(k).write_state(island.instances[k]));
  }
  return state;
}

void restore(RunningSystem& running, const RunState& state) {
  master::Ensemble& system = running.system();
  master::Ensemble::State saved;
  saved.islands = std::vector<master::Checkpoint>(state.islands.size());
  saved.lines = state.lines;
  saved.next_action = state.next_action;
  std::uint32_t called = 0;
  running.monitor().note_only_thread(0, 0);
  for (std::size_t i = 0; i < state.islands.size(); ++i) {
    const RunState::Island& written = state.islands[i];
    master::Checkpoint& island = saved.islands[i];
    island.coupling = written.coupling;
    island.memory = written.memory;
    saved.loops.push_back(written.loop);
    for (std::size_t k = 0; k < written.instances.size(); ++k) {
      running.monitor().called.front() = called++;
      island.instances.push_back(system.islands()[i]->instance(k).read_state(written.instances[k]));
    }
  }
  system.restore(saved);
  running.restored();
}

namespace {

/// Applies values as written by a user. @throws Error(usage) for what cannot be set
std::vector<master::Change> changes_of(std::span<const std::pair<std::string, std::string>> set,
                                       const PreparedSystem& prepared) {
  std::vector<master::Change> changes;
  for (const auto& [name, text] : set) {
    const FoundVariable variable = find_variable(prepared, name);
    const ModelDescription& description = *prepared.models().descriptions[variable.component];
    check_settable(variable, description);
    add(changes, change_of(variable, text, description,
                           prepared.start_values(variable.component).structure()));
  }
  return changes;
}

}  // namespace

void resume_from(const std::string& bytes,
                 const std::vector<std::pair<std::string, std::string>>& set,
                 PreparedSystem& prepared, RunSetup& setup) {
  auto state = std::make_shared<RunState>(Unpacker(bytes).take<RunState>());
  setup.needs = state->needs;
  if (setup.needs.one_thread) setup.outline.threads = 1;
  setup.time.is_resumed = true;
  setup.resume = [state, changes = changes_of(set, prepared)](RunningSystem& running) {
    restore(running, *state);
    if (!changes.empty() && !running.system().assign(std::span(changes)))
      throw Error(ErrorCode::fmu, "a component asks to end the run because of a value that was set",
                  {.time = running.system().time()});
  };
}

}  // namespace tutti::session
