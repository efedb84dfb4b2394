// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>

#include "session/drain.hpp"

namespace tutti::session {

/// Messages go straight to the user's log until the run starts, then through the ring, because the
/// run may be in another process or thread.
class RoutedLog {
 public:
  explicit RoutedLog(const Log& direct)
      : log_([this](const LogRecord& record) { write(record); },
             direct.wants(Severity::debug) ? Severity::debug : Severity::info),
        direct_(direct) {}
  const Log& log() const { return log_; }
  void redirect(execution::Ring& ring) { ring_ = &ring; }

 private:
  void write(const LogRecord& record) {
    const std::lock_guard lock(mutex_);  // components may step in parallel
    if (ring_ != nullptr)
      send_log(*ring_, record);
    else
      direct_.write(record);
  }
  std::mutex mutex_;
  Log log_;
  const Log& direct_;
  execution::Ring* ring_ = nullptr;
};

}  // namespace tutti::session
