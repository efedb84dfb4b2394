// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

namespace tutti::models {

/// What an instance has saved of itself. Only the kind of instance that saves knows what it is.
struct SavedState {
  virtual ~SavedState() = default;
};
/// Where an instance was. It goes before the instance does: declare it after the instance. Saving
/// again reuses its memory.
using Snapshot = std::unique_ptr<SavedState>;

/// The state in a snapshot, for the kind of instance that saves it.
template <class State>
State& writable(Snapshot& snapshot) {
  if (!snapshot) snapshot = std::make_unique<State>();
  return static_cast<State&>(*snapshot);
}

}  // namespace tutti::models
