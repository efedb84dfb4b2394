// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/sync_rows.hpp"

namespace tutti::master::tlm {

SyncRows::SyncRows(std::vector<Island*> islands, const TimeGrid& sync_grid, std::uint64_t every)
    : islands_(std::move(islands)), sync_grid_(sync_grid), every_(every) {
  for (Island* const island : islands_) {
    auto& of_island = shown_.emplace_back();
    for (std::size_t c = 0; c < island->instance_count(); ++c)
      of_island.push_back({island->instance(c).outputs(), island->instance(c).inputs()});
  }
}

void SyncRows::deposit(std::size_t number, std::uint64_t point) {
  if (observer_ == nullptr) return;
  if (point % every_ != 0 && point != sync_grid_.step_count()) return;
  Island& island = *islands_[number];
  island.externals().show_inputs(sync_grid_.point(point));
  const std::uint64_t row_number = (point + every_ - 1) / every_;
  const std::lock_guard lock(mutex_);
  while (rows_.size() <= row_number - first_) {
    if (spare_.empty()) spare_.emplace_back().values.resize(islands_.size());
    rows_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    rows_.back().missing = islands_.size();
  }
  Row& row = rows_[row_number - first_];
  row.point = point;
  auto& values = row.values[number];
  values.resize(island.instance_count());
  for (std::size_t c = 0; c < values.size(); ++c) {
    island.instance(c).outputs().save(values[c].outputs);
    island.instance(c).inputs().save(values[c].inputs);
  }
  --row.missing;
}

void SyncRows::deliver() {
  if (observer_ == nullptr) return;
  for (;;) {
    Row row;
    {
      const std::lock_guard lock(mutex_);
      if (rows_.empty() || rows_.front().missing > 0) return;
      row = std::move(rows_.front());
      rows_.pop_front();
      ++first_;
    }
    for (std::size_t i = 0; i < shown_.size(); ++i)
      for (std::size_t c = 0; c < shown_[i].size(); ++c) {
        shown_[i][c].outputs.restore(row.values[i][c].outputs);
        shown_[i][c].inputs.restore(row.values[i][c].inputs);
      }
    observer_->record(sync_grid_.point(row.point));
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(row));
  }
}

void SyncRows::rewind(std::uint64_t point) {
  rows_.clear();
  first_ = point / every_ + 1;
}

}  // namespace tutti::master::tlm
