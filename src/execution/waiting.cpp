// SPDX-License-Identifier: BSD-2-Clause
#include "execution/waiting.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace tutti::execution {
namespace {

constexpr double longest_spinning = 200e-6, shortest_spinning = 5e-6, longest_yielding = 1e-3;

/// Lets the other thread of the core, and its power supply, go first.
void pause_a_little() {
#if defined(__x86_64__)
  for (int i = 0; i < 8; ++i) __builtin_ia32_pause();
#else
  for (int i = 0; i < 8; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* limit) {
  return ::syscall(SYS_futex, &word, operation, value, limit, nullptr, 0);
}

}  // namespace

void Signal::raise() {
  count.fetch_add(1);
  if (sleepers.load() != 0) futex(count, FUTEX_WAKE, INT32_MAX, nullptr);
}

unsigned usable_cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

void Waiting::start(bool has_own_core) {
  started_ = Clock::now();
  has_own_core_ = has_own_core;
  if (has_own_core)
    patience_ =
        last_ > longest_spinning ? shortest_spinning : std::max(2 * last_, shortest_spinning);
  else
    patience_ = last_ > longest_yielding ? 0 : longest_yielding;
}

bool Waiting::differs(const Signal& signal, std::uint32_t seen) {
  if (signal.count.load(std::memory_order_acquire) == seen) return false;
  last_ = seconds_since(started_);
  return true;
}

bool Waiting::wait(Signal& signal, std::uint32_t seen, std::chrono::microseconds at_most) {
  if (differs(signal, seen)) return true;
  while (seconds_since(started_) < std::min(patience_, longest_yielding)) {
    for (int i = 0; i < 16; ++i) {
      if (has_own_core_)
        pause_a_little();
      else
        ::sched_yield();
      if (signal.count.load(std::memory_order_acquire) != seen) return differs(signal, seen);
    }
  }
  const timespec limit{at_most.count() / 1'000'000, at_most.count() % 1'000'000 * 1000};
  signal.sleepers.fetch_add(1);
  if (signal.count.load() == seen) futex(signal.count, FUTEX_WAIT, seen, &limit);
  signal.sleepers.fetch_sub(1);
  return differs(signal, seen);
}

}  // namespace tutti::execution
