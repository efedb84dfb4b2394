// SPDX-License-Identifier: BSD-2-Clause
// Saved states of a cluster.
#include "base/codec.hpp"
#include "models/cluster/model_cluster.hpp"

namespace tutti::models {

/// What a cluster saves: the states of its members, and what its loops remember.
struct ModelCluster::State {
  std::vector<fmi::FmuState> members;
  std::vector<double> event, continuous;
};

void ModelCluster::get_fmu_state(void** handle) {
  if (*handle == nullptr) *handle = new State();
  State& state = *static_cast<State*>(*handle);
  settled([&] { pass_point(); });
  state.members.resize(members_.size());
  for (std::size_t m = 0; m < members_.size(); ++m) members_[m]->save_state(state.members[m]);
  state.event.clear();
  state.continuous.clear();
  event().save(state.event);
  continuous().save(state.continuous);
}

void ModelCluster::set_fmu_state(void* handle, std::uint32_t mode) {
  const State& state = *static_cast<const State*>(handle);
  for (std::size_t m = 0; m < members_.size(); ++m) members_[m]->restore_state(state.members[m]);
  event().restore(state.event);
  continuous().restore(state.continuous);
  mode_ = static_cast<Mode>(mode);
  continuous().set_algebraic(are_loops_equations());
  is_stale_ = true;
  forget_point();
}

void ModelCluster::free_fmu_state(void** handle) noexcept {
  delete static_cast<State*>(*handle);
  *handle = nullptr;
}

std::vector<std::uint8_t> ModelCluster::serialize(void* handle) {
  const State& state = *static_cast<const State*>(handle);
  Packer packer;
  for (std::size_t m = 0; m < members_.size(); ++m)
    packer(members_[m]->serialize_state(state.members[m]));
  packer(state.event, state.continuous);
  return {packer.bytes().begin(), packer.bytes().end()};
}

void* ModelCluster::deserialize(std::span<const std::uint8_t> bytes) {
  auto state = std::make_unique<State>();
  Unpacker in(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  for (const auto& member : members_)
    state->members.push_back(member->deserialize_state(in.take<std::vector<std::uint8_t>>()));
  in(state->event, state->continuous);
  return state.release();
}

}  // namespace tutti::models
