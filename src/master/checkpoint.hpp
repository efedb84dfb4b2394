// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "models/instance.hpp"

namespace tutti::master {

/// Everything of an island that is restored when a step is rejected. Inputs are not included: they
/// follow from the outputs and the time.
struct Checkpoint {
  Checkpoint() = default;
  ~Checkpoint() { free_states(); }
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  void free_states() {
    for (std::size_t c = 0; c < instances.size(); ++c) {
      if (called != nullptr)
        called->store(static_cast<std::uint32_t>(c), std::memory_order_relaxed);
      instances[c] = {};
    }
    instances.clear();
  }

  std::vector<models::Snapshot> instances;
  std::size_t coupling = 0;  ///< number of the coupling that was used, see CoupledParts::used
  std::atomic<std::uint32_t>* called = nullptr;  ///< records whose state is freed, for the monitor
  /// Memory of coupling methods and inputs between steps, and the estimated errors of outputs.
  std::vector<double> memory;
};

}  // namespace tutti::master
