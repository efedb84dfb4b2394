// SPDX-License-Identifier: BSD-2-Clause
#include "execution/thread_team.hpp"

#include <fmt/format.h>

#include <chrono>
#include <system_error>
#include <tutti/error.hpp>

namespace tutti::execution {
namespace {

// Longer than the work of a master between two jobs.
constexpr std::chrono::microseconds longest_spin{30};
constexpr int pauses_per_look = 16;  // at the clock

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Spins until the condition is true; false: that takes too long.
template <class Condition>
bool spin_until(const Condition& holds) {
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < pauses_per_look; ++i) {
      if (holds()) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() - start < longest_spin);
  return false;
}

}  // namespace

ThreadTeam::ThreadTeam(unsigned size) {
  threads_.reserve(size);
  try {
    for (unsigned k = 1; k < size; ++k) threads_.emplace_back([this, k] { work(k); });
  } catch (const std::system_error& error) {
    const std::size_t started = threads_.size() + 1;
    end();
    throw Error(
        ErrorCode::capability,
        fmt::format("{} of {} threads could be started: {}", started, size, error.code().message()),
        {.key = "simulation.threads",
         .hint = "Try a smaller %key%, or raise the limits of processes and memory (ulimit "
                 "-u, ulimit -v)."});
  }
}

ThreadTeam::~ThreadTeam() { end(); }

void ThreadTeam::end() {
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
  // The others are awake, and have about as much work: sleeping is useless. If there are fewer
  // cores than threads, one of them needs this core.
  const auto all_done = [&] { return unfinished_.load(std::memory_order_acquire) == 0; };
  while (!spin_until(all_done)) std::this_thread::yield();
}

void ThreadTeam::work(unsigned k) {
  std::uint32_t done = 0;
  for (;;) {
    spin_until([&] { return generation_.load(std::memory_order_acquire) != done; });
    generation_.wait(done, std::memory_order_acquire);
    ++done;
    if (ends_) return;
    call_(context_, k);
    unfinished_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace tutti::execution
