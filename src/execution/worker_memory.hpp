// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/seconds.hpp"
#include "execution/monitor.hpp"
#include "execution/ring.hpp"

namespace tutti::execution {

/// A count that one process raises and another one waits for. It is in memory that both map.
struct Signal {
  std::atomic<std::uint32_t> count{0};
  std::atomic<std::uint32_t> sleepers{0};

  void raise();
};

/// How a process waits for another one. With a core for each, a reply arrives faster than a
/// sleeping process wakes up; on a shared core, spinning blocks the other.
class Waiting {
 public:
  /// Starts waiting.
  void start(bool has_own_core);
  /// Waits until the count differs from `seen`, at most for this time. False: it does not.
  bool wait(Signal& signal, std::uint32_t seen, std::chrono::microseconds at_most);

 private:
  bool differs(const Signal& signal, std::uint32_t seen);
  Clock::time_point started_ = Clock::now();
  double last_ = 0;      ///< seconds that the last wait took
  double patience_ = 0;  ///< seconds of spinning before it sleeps
  bool has_own_core_ = false;
};

/// Number of processors that this process may use.
unsigned usable_cores();

/// Memory that two processes map, zeros at first. Pages without access surround it, because one of
/// the processes runs FMUs, which may write anywhere.
class SharedMemory {
 public:
  /// Creates it. @throws Error(capability)
  explicit SharedMemory(std::size_t size);
  /// Maps the memory of another process, and takes over the descriptor. @throws Error(capability)
  static SharedMemory open(int descriptor);
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&&) = delete;

  std::span<std::byte> bytes() const { return {start_, size_}; }
  int descriptor() const { return descriptor_; }  ///< close-on-exec

 private:
  SharedMemory(int descriptor, std::size_t size);
  int descriptor_;
  std::byte* start_ = nullptr;
  std::size_t size_;
};

/// The shared memory of a worker and its owner.
struct WorkerMemory {
  struct Head {
    Monitor monitor;
    Signal requests, answers;
    std::atomic<std::uint32_t> is_serving;
    std::atomic<bool> has_own_core;     ///< the worker may spin while it waits
    std::atomic<int> fatal_signal;      ///< that ended the worker; 0: none
    std::atomic<int> exit_status_plus;  ///< one more than what an FMU called exit() with; 0: none
  };
  static constexpr std::uint32_t serving = 0x74757474;
  static constexpr std::size_t head_bytes = 4096;
  static constexpr std::size_t request_bytes = std::size_t{1} << 16;
  /// Only the used part takes memory.
  static constexpr std::size_t message_bytes = std::size_t{16} << 20;
  static_assert(sizeof(Head) <= head_bytes);

  explicit WorkerMemory(SharedMemory shared)
      : memory(std::move(shared)),
        head(*reinterpret_cast<Head*>(memory.bytes().data())),
        requests(memory.bytes().subspan(head_bytes, Ring::bytes_for(request_bytes))),
        messages(memory.bytes().subspan(head_bytes + Ring::bytes_for(request_bytes))) {}
  /// Smaller where the system limits the size of files (ulimit -f), which applies to this memory.
  static SharedMemory make();

  SharedMemory memory;
  Head& head;
  Ring requests;  ///< to the worker
  Ring messages;  ///< from it
};

/// The descriptors that a worker is started with, and its first argument, before the build id.
constexpr int memory_descriptor = 3, owner_descriptor = 4;
constexpr const char* serve_argument = "--serve";
/// The request that ends a worker; others are defined by its owner.
constexpr std::uint32_t quit_request = 0;
/// The exit status of a worker that was built from other sources than its owner.
constexpr int other_build_status = 83;
/// The exit status of one that cannot start its guard.
constexpr int no_guard_status = 84;

/// The worker's end of the memory shared with its owner. One per process.
class WorkerSide {
 public:
  /// Whether this process was started as a worker.
  static bool is_asked_for(int argc, const char* const* argv);
  /// Maps the memory of the owner, starts the guard, and records fatal signals. Ends the process if
  /// the owner is of another build.
  WorkerSide(int argc, const char* const* argv);

  /// Waits for the next request; it is valid until release_request().
  Ring::Message next_request();
  void release_request() { memory_.requests.release(); }
  /// Messages sent before a reply are available when the owner receives the reply.
  Ring& messages() { return memory_.messages; }
  void answer(std::uint32_t kind, std::string_view bytes);
  Monitor& monitor() { return memory_.head.monitor; }

 private:
  [[noreturn]] void quit() const;
  WorkerMemory memory_;
  Waiting waiting_;
  std::uint32_t seen_ = 0;
  int guard_ = -1;  ///< process number
};

}  // namespace tutti::execution
