// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <utility>

namespace tutti::fmi {

/// Holds the only place that an FMU with canBeInstantiatedOnlyOncePerProcess has in this process,
/// however often its file is opened.
class OncePerProcess {
 public:
  OncePerProcess() = default;  ///< holds nothing
  /// @throws Error (capability) if another instance is alive.
  OncePerProcess(const std::string& token, const std::string& model_identifier,
                 const std::string& instance_name);
  OncePerProcess(OncePerProcess&& other) noexcept : key_(std::exchange(other.key_, {})) {}
  OncePerProcess& operator=(OncePerProcess&& other) noexcept {
    std::swap(key_, other.key_);
    return *this;
  }
  ~OncePerProcess();

 private:
  std::string key_;
};

}  // namespace tutti::fmi
