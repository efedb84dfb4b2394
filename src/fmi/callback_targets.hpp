// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace tutti::fmi {

/// The instances of one FMI version in this process, for the callbacks of FMUs. Some FMUs pass a
/// constant instead of the environment that they were given, so Tutti uses no environment as a
/// pointer that is not the address of one of these.
template <class Component>
class CallbackTargets {
 public:
  void add(Component* component) {
    const std::lock_guard lock(mutex_);
    components_.push_back(component);
  }
  void remove(Component* component) {
    const std::lock_guard lock(mutex_);
    std::erase(components_, component);
  }
  /// Calls action(component) for the instance at `environment`, or else for the first one of this
  /// name, which may be null. Without either, the callback has no effect. The lock keeps the
  /// instance alive meanwhile.
  template <class Action>
  void call(const void* environment, const char* name, const Action& action) {
    const std::shared_lock lock(mutex_);
    const auto has_address = [&](const Component* c) { return c == environment; };
    const auto has_name = [&](const Component* c) { return name && c->name() == name; };
    auto found = std::ranges::find_if(components_, has_address);
    if (found == components_.end()) found = std::ranges::find_if(components_, has_name);
    if (found != components_.end()) action(**found);
  }

 private:
  std::shared_mutex mutex_;
  std::vector<Component*> components_;
};

}  // namespace tutti::fmi
