// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "execution/worker_memory.hpp"
#include "session/cases/case_messages.hpp"
#include "session/cases/case_runner.hpp"

namespace tutti::session {

/// The cases of a worker on behalf of its owner.
class CaseService {
 public:
  /// @throws Error
  CaseService(execution::WorkerSide& side, CasesOpening opening, SystemRunOptions options,
              const Log& log);
  /// Sends the result, then prepares for the next case.
  void run(const Case& task);

 private:
  execution::WorkerSide& side_;
  CaseRunner runner_;
};

}  // namespace tutti::session
