// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <tutti/log.hpp>
#include <tutti/simulation.hpp>

#include "execution/ring.hpp"
#include "results/recorder.hpp"

namespace tutti::session {

/// The watcher's side of a run: takes rows and messages out of the ring as they come and hands them
/// on, rows to the sink, messages to the log.
class Drain {
 public:
  /// The sink may be null if there are no rows.
  Drain(execution::Ring& ring, const std::vector<Column>& columns, Observer* sink, const Log& log)
      : ring_(ring), rows_(columns), sink_(sink), log_(log) {}

  /// Takes what is there, but only so much at a time that the watcher can look around: a fast run
  /// keeps the ring full. True if there was anything.
  bool take_some();
  void take_all();
  /// The sink failed, for example because the disk is full, or an FMU has overwritten what came:
  /// the run is to end.
  bool failed() const { return failure_ || damage_; }
  /// What the run said of itself at its end, if it came to that.
  const std::optional<RunReport>& report() const { return report_; }
  /// Completes the sink, and the report with what the sink has to say.
  RunReport finish(RunReport report);

 private:
  /// Rows that the sink cannot remove: those of a run that is repeated must be the same.
  struct Kept {
    std::uint64_t rows = 0, hash = 0;
    double last_time = 0;
  };

  bool take_messages();
  void take_row(std::span<const std::byte> bytes);
  void restart();
  [[noreturn]] static void refuse_repeated_run(const Kept& kept);
  /// Rows that came since the last flush become visible after a second.
  void flush_now_and_then();
  template <typename Action>
  void with_sink(Action action);

  execution::Ring& ring_;
  results::RowReader rows_;
  Observer* sink_;
  const Log& log_;
  bool begun_ = false;
  double last_time_ = -std::numeric_limits<double>::infinity();
  std::uint64_t row_count_ = 0, row_hash_ = 0;
  std::optional<Kept> kept_;
  std::uint64_t flushed_rows_ = 0;
  std::chrono::steady_clock::time_point flushed_at_ = std::chrono::steady_clock::now();
  std::optional<Error> failure_;  ///< of the sink
  std::optional<Error> damage_;   ///< of the ring
  std::optional<RunReport> report_;
};

}  // namespace tutti::session
