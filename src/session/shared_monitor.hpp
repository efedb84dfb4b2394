// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/mman.h>

#include <new>
#include <string_view>

#include "master/loop.hpp"

namespace tutti::session {

/// What a run notes for whoever watches it, in memory that a forked process shares with us.
class SharedMonitor {
 public:
  SharedMonitor() {
    memory_ = ::mmap(nullptr, sizeof(master::Monitor), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    new (memory_) master::Monitor;
  }
  ~SharedMonitor() { ::munmap(memory_, sizeof(master::Monitor)); }
  SharedMonitor(const SharedMonitor&) = delete;
  SharedMonitor& operator=(const SharedMonitor&) = delete;
  master::Monitor& operator*() { return *static_cast<master::Monitor*>(memory_); }

 private:
  void* memory_;
};

/// What a component was doing, for messages; `stepping` is what the phase of steps is used for.
inline std::string_view activity(master::Monitor::Phase phase,
                                 std::string_view stepping = "in a step") {
  switch (phase) {
    case master::Monitor::Phase::loading:
      return "while it was loaded and instantiated";
    case master::Monitor::Phase::initializing:
      return "while it was initialized";
    case master::Monitor::Phase::stepping:
      return stepping;
    case master::Monitor::Phase::looking_ahead:
      return "while it looked ahead over the first step, which is rolled back (try "
             "simulation.inputs.start = \"constant\")";
    default:
      return "while it was terminated and freed";
  }
}

}  // namespace tutti::session
