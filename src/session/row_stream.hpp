// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <optional>
#include <tutti/results.hpp>

#include "base/seconds.hpp"
#include "results/recorder.hpp"

namespace tutti::session {

/// Hands the rows of a run on to an observer, as they come. What the observer throws ends that, and
/// is kept.
class RowStream {
 public:
  RowStream(std::vector<Column> columns, Observer& observer)
      : rows_(std::move(columns)), observer_(observer) {}

  /// The first so many rows are those of an earlier run; this is the last of them.
  /// @throws Error(file) if the observer cannot go on there
  void go_on_behind(std::uint64_t rows, std::string_view last);
  /// Of the message that was taken last.
  std::string_view last_row() const { return last_; }
  /// Otherwise it is told of its columns with the first row.
  void start();
  void take(std::span<const std::byte> row);
  /// The run is repeated: the rows before are void.
  void restart();
  /// All rows become visible to others.
  void flush();
  /// Those that came since the last flush, after a second.
  void flush_now_and_then();
  /// The rows behind the first so many are void. False: they cannot be removed.
  bool rewind(std::uint64_t rows);
  void finish();
  std::uint64_t row_count() const { return row_count_; }
  const std::exception_ptr& failure() const { return failure_; }

 private:
  /// Rows that the observer cannot remove: those of a run that is repeated must be the same.
  struct Kept {
    std::uint64_t rows = 0, hash = 0;
    double last_time = 0;
  };
  void begin();
  [[noreturn]] static void refuse_repeated_run(const Kept& kept);
  template <typename Action>
  void attempt(Action action);

  results::RowReader rows_;
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

}  // namespace tutti::session
