// SPDX-License-Identifier: BSD-2-Clause
#include "execution/thread_team.hpp"

namespace tutti::execution {
namespace {

// About 50 microseconds: longer than what a master does between two jobs.
constexpr int most_spins = 4000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

ThreadTeam::ThreadTeam(unsigned size) {
  for (unsigned k = 1; k < size; ++k) threads_.emplace_back([this, k] { work(k); });
}

ThreadTeam::~ThreadTeam() {
  ends_ = true;
  start(nullptr, nullptr);
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::start(Call call, const void* context) {
  call_ = call;
  context_ = context;
  unfinished_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
}

void ThreadTeam::wait_for_others() {
  // They are awake, and have about as much to do: no use in sleeping. If there are fewer cores
  // than threads, one of them wants ours.
  for (int spins = 0; unfinished_.load(std::memory_order_acquire) != 0; ++spins)
    spins < most_spins ? pause() : std::this_thread::yield();
}

void ThreadTeam::work(unsigned k) {
  std::uint32_t done = 0;
  for (;;) {
    for (int spins = 0; spins < most_spins; ++spins) {
      if (generation_.load(std::memory_order_acquire) != done) break;
      pause();
    }
    generation_.wait(done, std::memory_order_acquire);
    ++done;
    if (ends_) return;
    call_(context_, k);
    unfinished_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace tutti::execution
