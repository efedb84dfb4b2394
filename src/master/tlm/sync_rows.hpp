// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "base/time_grid.hpp"
#include "master/island.hpp"
#include "master/observer.hpp"

namespace tutti::master::tlm {

/// Result rows of islands that reach the synchronization points at different times: buffers the
/// values of each until all have been there.
class SyncRows {
 public:
  SyncRows(std::vector<Island*> islands, const TimeGrid& sync_grid, std::uint64_t every);

  /// Values as of the row that is being recorded, by island and component there.
  struct Shown {
    models::ValueSet outputs, inputs;
  };
  const Shown& shown(std::size_t island, std::size_t component) const {
    return shown_[island][component];
  }
  void record_to(StepObserver* observer) { observer_ = observer; }

  /// Stores the values of an island at a point. From any thread, but in order for each island.
  void deposit(std::size_t island, std::uint64_t point);
  /// Records complete rows, in the calling thread.
  void deliver();
  /// All islands are at this point again; later rows are void.
  void rewind(std::uint64_t point);

 private:
  struct Values {
    models::ValueSet::Values outputs, inputs;
  };
  struct Row {
    std::uint64_t point = 0;
    std::size_t missing = 0;                  ///< islands
    std::vector<std::vector<Values>> values;  ///< by island and component
  };
  std::vector<Island*> islands_;
  TimeGrid sync_grid_;
  std::uint64_t every_;
  StepObserver* observer_ = nullptr;
  std::vector<std::vector<Shown>> shown_;
  std::mutex mutex_;
  std::deque<Row> rows_;
  std::vector<Row> spare_;   ///< for reuse
  std::uint64_t first_ = 0;  ///< number of the first of rows_
};

}  // namespace tutti::master::tlm
