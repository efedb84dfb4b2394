// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "execution/worker.hpp"
#include "execution/worker_memory.hpp"
#include "session/drain.hpp"
#include "session/worker_call.hpp"

namespace tutti::session {

/// Something that is done in a copy of this process, because FMUs may crash or hang in it and the
/// process is to go on. What the copy sends goes to the log, and the watchdog looks at it.
/// @pre this process has one thread: it is a worker
class ForkedTask {
 public:
  ForkedTask(const RunControl& control, const RunOutline& outline, const Log& log)
      : control_(control),
        outline_(outline),
        memory_(execution::WorkerMemory::make()),
        drain_(memory_.messages, log) {}

  Drain& drain() { return drain_; }
  /// What the copy does: its answer. Errors are passed on. `stepping` is what it does in the phase
  /// of steps, for messages.
  using Body = std::function<std::string(execution::Ring&, execution::Monitor&)>;
  /// Nothing: it ended otherwise. @throws Error that the body throws, Error(interrupted)
  std::optional<std::string> run(const Body& body, std::string_view stepping);
  /// Why there is no answer: a crash or a timeout.
  const Error& failure() const { return *failure_; }
  const std::string& how_it_ended() const { return how_; }

 private:
  const RunControl& control_;
  const RunOutline& outline_;
  execution::WorkerMemory memory_;
  Drain drain_;
  std::optional<Error> failure_;
  std::string how_;
};

}  // namespace tutti::session
