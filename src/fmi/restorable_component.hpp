// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include "fmi/instance_core.hpp"

namespace tutti::fmi {

/// The symbols and capabilities of one version.
struct RestorableNames {
  const char *exit_initialization_mode, *reset, *get_state, *set_state, *free_state, *state_size,
      *serialize_state, *deserialize_state, *can_save, *can_serialize;
};

/// Adds to `Base` (an InstanceCore) the common part of FMI 2.0 and 3.0, which differ only in names
/// and in the type of a byte: the end of initialization, reset, saved states.
template <class Base, class Status, class Byte>
class RestorableComponent : public Base {
 public:
  /// @post the instance is in `next`.
  void leave_initialization(std::uint32_t next) {
    this->expect(mode::initialization, "exit_initialization");
    this->guarded("initialization", [&] { this->call(exit_initialization_mode_); });
    this->set_mode(next);
  }
  void reset() override {
    this->expect(mode::settable, "reset");
    this->call(reset_);
    this->set_mode(mode::instantiated);
  }

  void get_fmu_state(void** handle) final {
    need_saved_states();
    this->expect(mode::settable & ~mode::failed, "save_state");
    ++this->counts().get_state;
    this->call(get_state_, handle);
  }
  // Also recovers from an error (FMI 2.0.5, section 2.1.3; FMI 3.0, section 2.2.4).
  void set_fmu_state(void* handle, std::uint32_t mode) final {
    need_saved_states();
    this->expect(mode::settable, "restore_state");
    ++this->counts().set_state;
    this->call(set_state_, handle);
    this->set_mode(mode);
  }
  void free_fmu_state(void** handle) noexcept final {
    if (this->can_be_freed() && free_state_.address) {
      free_state_.address(this->component(), handle);
      this->keep_float_control(free_state_.name);
    }
    *handle = nullptr;
  }
  std::vector<std::uint8_t> serialize(void* handle) final {
    need_serialization();
    this->expect(mode::settable, "serialize_state");
    std::size_t size = 0;
    this->call(state_size_, handle, &size);
    std::vector<std::uint8_t> bytes(size);
    this->call(serialize_state_, handle, reinterpret_cast<Byte*>(bytes.data()), size);
    return bytes;
  }
  void* deserialize(std::span<const std::uint8_t> bytes) final {
    need_serialization();
    this->expect(mode::settable, "deserialize_state");
    void* handle = nullptr;
    this->call(deserialize_state_, reinterpret_cast<const Byte*>(bytes.data()), bytes.size(),
               &handle);
    return handle;
  }

 protected:
  using Base::Base;

  void bind(const RestorableNames& names) {
    exit_initialization_mode_ = this->require(names.exit_initialization_mode);
    reset_ = this->find(names.reset);
    get_state_ = this->find(names.get_state, names.can_save);
    set_state_ = this->find(names.set_state, names.can_save);
    free_state_ = this->find(names.free_state, names.can_save);
    state_size_ = this->find(names.state_size, names.can_serialize);
    serialize_state_ = this->find(names.serialize_state, names.can_serialize);
    deserialize_state_ = this->find(names.deserialize_state, names.can_serialize);
  }

 private:
  void need_saved_states() const {
    if (this->capabilities().can_save_state) return;
    this->cannot(fmt::format("the FMU cannot save and restore its state ({}=\"false\")",
                             get_state_.capability));
  }
  void need_serialization() const {
    if (this->capabilities().can_serialize_state) return;
    this->cannot(
        fmt::format("the FMU cannot serialize its state ({}=\"false\")", state_size_.capability));
  }

  Function<Status(void*)> exit_initialization_mode_, reset_;
  Function<Status(void*, void**)> get_state_, free_state_;
  Function<Status(void*, void*)> set_state_;
  Function<Status(void*, void*, std::size_t*)> state_size_;
  Function<Status(void*, void*, Byte*, std::size_t)> serialize_state_;
  Function<Status(void*, const Byte*, std::size_t, void**)> deserialize_state_;
};

}  // namespace tutti::fmi
