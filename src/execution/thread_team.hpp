// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace tutti::execution {

/// Threads that run jobs together, one after the other. Between jobs they spin for a while before
/// they sleep, so that jobs of microseconds gain, too.
class ThreadTeam {
 public:
  /// The calling thread is one of them. @throws Error(capability) if they cannot all be started
  explicit ThreadTeam(unsigned size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }

  /// Calls job(k) for every k below size(), each in a separate thread, 0 in this one; returns when
  /// all have returned. Earlier writes of any thread are visible to all.
  /// @pre job does not throw
  template <class Job>
  void run(const Job& job) {
    start([](const void* context, unsigned k) { (*static_cast<const Job*>(context))(k); }, &job);
    job(0u);
    wait_for_others();
  }

 private:
  using Call = void (*)(const void* context, unsigned k);
  void start(Call call, const void* context);
  void wait_for_others();
  void work(unsigned k);
  void end();

  // On separate cache lines: the threads write and read them all the time.
  alignas(64) std::atomic<std::uint32_t> generation_{0};
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};
  alignas(64) Call call_ = nullptr;
  const void* context_ = nullptr;
  std::atomic<bool> ends_{false};
  std::vector<std::thread> threads_;
};

}  // namespace tutti::execution
