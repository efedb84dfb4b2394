// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "execution/worker_memory.hpp"

namespace tutti::execution {

/// The worker's end of what it shares with its owner. There is one in a process.
class WorkerSide {
 public:
  /// Whether this process was started as a worker.
  static bool is_asked_for(int argc, const char* const* argv);
  /// Maps what the owner has made, starts the guard, and lets fatal signals be noted. Ends the
  /// process if the owner is of another build.
  WorkerSide(int argc, const char* const* argv);

  /// Waits for the next request; it is valid until release_request().
  Ring::Message next_request();
  void release_request() { memory_.requests.release(); }
  /// What is sent before an answer is there for the owner when it looks.
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
