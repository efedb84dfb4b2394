// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <tutti/log.hpp>
#include <tutti/simulation.hpp>
#include <utility>

#include "base/codec.hpp"
#include "execution/ring.hpp"
#include "session/checkpoint_file.hpp"
#include "session/row_stream.hpp"

namespace tutti::session {

/// The watcher's side of a run: takes rows and messages out of the ring as they come and hands them
/// on, rows to observers, messages to the log.
class Drain {
 public:
  Drain(execution::Ring& ring, const Log& log) : ring_(ring), log_(log) {}

  /// The rows of so many observers come, in the order in which they were added.
  RowStream& add(std::vector<Column> columns, Observer& observer) {
    return streams_.emplace_back(std::move(columns), observer);
  }
  std::deque<RowStream>& streams() { return streams_; }
  /// Null: checkpoints are not kept.
  void write_checkpoints_with(CheckpointWriter* writer) { checkpoints_ = writer; }
  /// Other messages.
  void when(std::function<void(const execution::Ring::Message&)> other) {
    other_ = std::move(other);
  }

  /// Takes what is there, but only so much at a time that the watcher can look around: a fast run
  /// keeps the ring full. Stops behind an answer. True if there was anything.
  bool take_some();
  void take_all();
  /// An observer failed, for example because the disk is full, or an FMU has overwritten what came:
  /// the run is to end.
  bool has_failed() const;
  const std::optional<Error>& damage() const { return damage_; }
  /// Of the last request.
  struct Answer {
    std::string bytes;
    std::optional<Error> error;  ///< in place of it
  };
  std::optional<Answer> take_answer() { return std::exchange(answer_, std::nullopt); }
  bool has_answer() const { return answer_.has_value(); }
  /// Completes the observers, and the report with what they have to say.
  RunReport finish(RunReport report);

 private:
  bool next(execution::Ring::Message& message);
  void take(const execution::Ring::Message& message);
  void write_checkpoint(Unpacker message);

  execution::Ring& ring_;
  const Log& log_;
  std::deque<RowStream> streams_;
  std::function<void(const execution::Ring::Message&)> other_;
  CheckpointWriter* checkpoints_ = nullptr;
  std::optional<Error> damage_;  ///< of the ring
  std::optional<Answer> answer_;
};

/// Puts a message for the log into a ring.
void send_log(execution::Ring& ring, const LogRecord& record);

}  // namespace tutti::session
