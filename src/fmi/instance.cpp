// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/instance.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace tutti::fmi {

FmuState::FmuState(FmuState&& other) noexcept
    : instance_(std::exchange(other.instance_, nullptr)),
      handle_(std::exchange(other.handle_, nullptr)),
      mode_(other.mode_) {}

FmuState& FmuState::operator=(FmuState&& other) noexcept {
  std::swap(instance_, other.instance_);
  std::swap(handle_, other.handle_);
  std::swap(mode_, other.mode_);
  return *this;
}

FmuState::~FmuState() {
  if (handle_) instance_->free_fmu_state(&handle_);
}

void FmuInstance::save_state(FmuState& into) {
  if (into.instance_ != this) into = FmuState();
  into.instance_ = this;
  get_fmu_state(&into.handle_);
  into.mode_ = mode();
}

void FmuInstance::restore_state(const FmuState& state) {
  if (state.instance_ != this || !state.handle_) {
    throw std::logic_error("restore_state: the state does not belong to this instance");
  }
  set_fmu_state(state.handle_, state.mode_);
}

void FmuInstance::adjoint_derivative(References, References, std::span<const double>,
                                     std::span<double>) {
  throw Error(ErrorCode::capability,
              "component \"" + name() + "\": the FMU has no adjoint derivatives",
              {.component = name()});
}

// The mode is appended as four bytes to the FMU's own, so that these stay aligned.
std::vector<std::uint8_t> FmuInstance::serialize_state(const FmuState& state) {
  if (state.instance_ != this || !state.handle_) {
    throw std::logic_error("serialize_state: the state does not belong to this instance");
  }
  std::vector<std::uint8_t> bytes = serialize(state.handle_);
  const std::size_t size = bytes.size();
  bytes.resize(size + sizeof state.mode_);
  std::memcpy(bytes.data() + size, &state.mode_, sizeof state.mode_);
  return bytes;
}

FmuState FmuInstance::deserialize_state(std::span<const std::uint8_t> bytes) {
  FmuState state;
  if (bytes.size() < sizeof state.mode_) {
    throw Error(ErrorCode::usage, "deserialize_state: these bytes are not a serialized FMU state");
  }
  const std::size_t size = bytes.size() - sizeof state.mode_;
  std::memcpy(&state.mode_, bytes.data() + size, sizeof state.mode_);
  state.instance_ = this;
  state.handle_ = deserialize(bytes.first(size));
  return state;
}

}  // namespace tutti::fmi
