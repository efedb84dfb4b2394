// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <stdexcept>

#include "fmi/scalar_values.hpp"

namespace tutti::fmi {

/// The common part of the components of FMI 1.0 and 2.0: scalar variables, and stubs of functions
/// that only FMI 3.0 has. `readable`: the modes in which values may be read.
template <class Status, class Boolean, std::uint32_t readable>
class ScalarComponent : public InstanceCore {
 public:
  void enter_configuration_mode() final { lacks("configuration mode"); }
  void exit_configuration_mode() final { lacks("configuration mode"); }

  void get(Type type, References references, void* values, std::size_t) final {
    expect_counted(readable, "get");
    ++counts().get;
    values_.get(*this, type, references, values);
  }
  void set(Type type, References references, const void* values, std::size_t) final {
    expect_counted(writable, "set");
    ++counts().set;
    values_.set(*this, type, references, values);
    if (mode() == mode::step) set_mode(mode::step_inputs_set);
  }
  const auto& values() const { return values_; }
  void get_strings(References references, std::span<std::string> values) final {
    expect(readable, "get_strings");
    ++counts().get;
    values_.get_strings(*this, references, values);
  }
  void set_strings(References references, std::span<const std::string> values) final {
    expect(writable, "set_strings");
    ++counts().set;
    values_.set_strings(*this, references, values);
    if (mode() == mode::step) set_mode(mode::step_inputs_set);
  }
  void get_binaries(References, std::span<std::vector<std::uint8_t>>) final {
    lacks("binary variables");
  }
  void set_binaries(References, std::span<const std::vector<std::uint8_t>>) final {
    lacks("binary variables");
  }

  /// The status with which a pending doStep ended, set by the FMU's call of stepFinished.
  std::atomic<int> finished = status::none;

 protected:
  ScalarComponent(const InstanceSetup& setup, const InstanceOptions& options,
                  const ScalarValueNames& names)
      : InstanceCore(setup, options), values_(*setup.library, *setup.description, names) {}

  void check_platform(const Function<const char*()>& get_types_platform,
                      const char* expected) const {
    if (!get_types_platform.address) return;
    const char* const platform = get_types_platform.address();
    if (platform && std::strcmp(platform, expected) == 0) return;
    warn_once(fmt::format(
        "the FMU was compiled for the types platform \"{}\", not \"{}\": its values may be wrong",
        platform ? platform : "", expected));
  }

 private:
  static constexpr std::uint32_t writable = mode::instantiated | mode::initialization | mode::step |
                                            mode::step_inputs_set | mode::event |
                                            mode::continuous_time;
  [[noreturn]] void lacks(const char* what) const {
    throw std::logic_error(
        with_name(fmt::format("FMI {} has no {}", to_string(description().version), what)));
  }

  ScalarValues<Status, Boolean> values_;
};

}  // namespace tutti::fmi
