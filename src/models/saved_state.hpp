// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

namespace tutti::models {

/// The saved state of an instance, opaque except to the kind of instance that saved it.
struct SavedState {
  virtual ~SavedState() = default;
};
/// The saved state of an instance. It must be destroyed before the instance: declare it after the
/// instance. Saving again reuses its memory.
using Snapshot = std::unique_ptr<SavedState>;

/// The state in a snapshot, for the kind of instance that saves it.
template <class State>
State& writable(Snapshot& snapshot) {
  if (!snapshot) snapshot = std::make_unique<State>();
  return static_cast<State&>(*snapshot);
}

}  // namespace tutti::models
