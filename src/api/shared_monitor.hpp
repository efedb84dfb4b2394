// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/mman.h>

#include <new>

#include "master/simulation.hpp"

namespace tutti::api {

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

}  // namespace tutti::api
