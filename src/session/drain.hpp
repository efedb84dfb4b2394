// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <tutti/log.hpp>
#include <tutti/results.hpp>
#include <tutti/simulation.hpp>
#include <utility>

#include "base/codec.hpp"
#include "base/seconds.hpp"
#include "execution/ring.hpp"
#include "results/recorder.hpp"
#include "session/checkpoint_file.hpp"

namespace tutti::session {

/// Passes the rows of a run to an observer as they arrive. An exception of the observer ends this,
/// and is kept.
class RowStream {
 public:
  RowStream(std::vector<Column> columns, Observer& observer);

  /// The first `rows` rows are those of an earlier run; `last` is the last of them.
  /// @throws Error(file) if the observer cannot continue there
  void continue_after(std::uint64_t rows, std::string_view last);
  /// Of the last message taken.
  std::string_view last_row() const { return last_; }
  /// Otherwise it receives its columns with the first row.
  void start();
  void take(std::span<const std::byte> row);
  /// The run is repeated: earlier rows are void.
  void restart();
  /// Makes all rows visible to others.
  void flush();
  /// Flushes the rows since the last flush, after a second.
  void flush_now_and_then();
  /// The rows after the first `rows` are void. False: they cannot be removed.
  bool rewind(std::uint64_t rows);
  void finish();
  std::uint64_t row_count() const { return row_count_; }
  /// The columns with values that are not finite.
  std::vector<NonFiniteColumn> not_finite() const;
  const std::exception_ptr& failure() const { return failure_; }

 private:
  /// Rows that the observer cannot remove: a repeated run must produce the same.
  struct Kept {
    std::uint64_t rows = 0, hash = 0;
    double last_time = 0;
  };
  void begin();
  void look_at(const Row& row);
  [[noreturn]] static void refuse_repeated_run(const Kept& kept);
  template <typename Action>
  void attempt(Action action);

  results::RowReader rows_;
  std::vector<std::size_t> reals_;  ///< columns
  std::map<std::size_t, NonFiniteColumn> not_finite_;
  Observer& observer_;
  bool has_started_ = false;
  std::string last_;
  double last_time_ = -std::numeric_limits<double>::infinity();
  std::uint64_t row_count_ = 0, row_hash_ = 0;
  std::optional<Kept> kept_;
  std::uint64_t flushed_rows_ = 0;
  Clock::time_point flushed_at_ = Clock::now();
  std::exception_ptr failure_;
};

/// The watcher's side of a run: takes rows and messages from the ring as they arrive and passes
/// rows to observers, messages to the log.
class Drain {
 public:
  Drain(execution::Ring& ring, const Log& log) : ring_(ring), log_(log) {}

  /// Sets the number of observers whose rows arrive, in the order in which they were added.
  RowStream& add(std::vector<Column> columns, Observer& observer) {
    return streams_.emplace_back(std::move(columns), observer);
  }
  std::deque<RowStream>& streams() { return streams_; }
  /// Null: checkpoints are not written.
  void write_checkpoints_with(CheckpointWriter* writer) { checkpoints_ = writer; }
  /// Other messages.
  void when(std::function<void(const execution::Ring::Message&)> other) {
    other_ = std::move(other);
  }

  /// Takes the available messages, but only a limited number per call, because a fast run keeps the
  /// ring full. Stops after a reply. True if there were any.
  bool take_some();
  void take_all();
  /// An observer failed, for example because the disk is full, or an FMU has overwritten the ring:
  /// the run must end.
  bool has_failed() const;
  const std::optional<Error>& damage() const { return damage_; }
  /// Of the last request.
  struct Answer {
    std::string bytes;
    std::optional<Error> error;  ///< instead of the reply
  };
  std::optional<Answer> take_answer() { return std::exchange(answer_, std::nullopt); }
  bool has_answer() const { return answer_.has_value(); }
  /// Completes the observers, and the report with their results.
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
