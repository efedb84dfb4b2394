// SPDX-License-Identifier: BSD-2-Clause
#include "session/run_state.hpp"

#include <fmt/format.h>

#include <map>

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
  RunState state{needs, {}, std::move(saved.lines)};
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

/// Values that a user has written, as one event.
void set_values(std::span<const std::pair<std::string, std::string>> set,
                const PreparedSystem& prepared, RunningSystem& running) {
  std::map<std::pair<std::uint32_t, std::int32_t>, models::ValueSet> values;
  for (const auto& [name, text] : set) {
    const FoundVariable variable = find_variable(prepared, name);
    const std::uint32_t c = variable.component;
    const ModelDescription& description = *prepared.models().descriptions[c];
    const auto [place, is_new] = values.try_emplace({c, variable.selection.index}, description,
                                                    std::span(&variable.selection.index, 1),
                                                    prepared.start_values(c).structure());
    models::ValueSet& present = place->second;
    // Other elements of an array keep what they have, or were given before.
    if (is_new) running.system().instance(c).read(present);
    for (const models::Scalar* scalar : scalars_of(variable, present))
      present.assign(*scalar, text, description);
  }
  std::vector<master::Assignment> assignments;
  for (auto& [place, present] : values) assignments.push_back({place.first, &present});
  if (!assignments.empty() && !running.system().assign(assignments))
    throw Error(ErrorCode::fmu, "a component asks to end the run because of a value that was set",
                {.time = running.system().time()});
}

}  // namespace

void resume_from(const std::string& bytes, std::vector<std::pair<std::string, std::string>> set,
                 PreparedSystem& prepared, RunSetup& setup) {
  auto state = std::make_shared<RunState>(Unpacker(bytes).take<RunState>());
  for (const auto& [name, text] : set) {  // what cannot be set is refused before an FMU is loaded
    const FoundVariable variable = find_variable(prepared, name);
    check_settable(variable, *prepared.models().descriptions[variable.component]);
  }
  setup.needs = state->needs;
  if (setup.needs.one_thread) setup.outline.threads = 1;
  setup.time.is_resumed = true;
  setup.resume = [state, set = std::move(set), &prepared](RunningSystem& running) {
    restore(running, *state);
    set_values(set, prepared, running);
  };
}

}  // namespace tutti::session
