// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "execution/worker.hpp"
#include "execution/worker_memory.hpp"
#include "session/drain.hpp"
#include "session/worker_call.hpp"

namespace tutti::session {

/// A task in a copy of this process, because FMUs may crash or hang and the process must continue.
/// Messages of the copy go to the log, and the watchdog monitors it.
/// @pre this process has one thread: it is a worker
class ForkedTask {
 public:
  ForkedTask(const RunControl& control, const RunOutline& outline, const Log& log)
      : control_(control),
        outline_(outline),
        memory_(execution::WorkerMemory::make()),
        drain_(memory_.messages, log) {}

  Drain& drain() { return drain_; }
  /// Runs the body in the copy and returns its reply. Errors are passed on. `stepping` names the
  /// phase of steps in messages.
  using Body = std::function<std::string(execution::Ring&, execution::Monitor&)>;
  /// Empty: no reply. @throws Error that the body throws, Error(interrupted)
  std::optional<std::string> run(const Body& body, std::string_view stepping);
  /// Why there is no reply: a crash or a timeout.
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
