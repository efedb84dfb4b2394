// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "master/memory.hpp"

namespace tutti::master::tlm {

/// What one end of a line sends to the other: samples of waves and signals over time. One thread
/// appends and publishes, another one reads; neither ever waits for the other here.
///
/// Between samples values are interpolated, linearly or, where both samples have slopes, by the
/// cubic Hermite polynomial (the first columns may have slopes). Two samples at one time are a
/// jump: from there on the second one applies. Before the first sample its values apply.
class WaveTable {
 public:
  /// Times that differ by less than `nearness` (relative to the delay of the line) are equal: a
  /// look-up there returns the sample exactly, with or without later ones, so that results do not
  /// depend on which thread is ahead.
  WaveTable(std::size_t columns, double nearness, std::size_t slopes = 0);
  ~WaveTable();
  WaveTable(const WaveTable&) = delete;
  WaveTable& operator=(const WaveTable&) = delete;

  std::size_t columns() const { return columns_; }

  // The sender:
  /// Not before the last one. Without slopes the table is linear there.
  void append(double t, std::span<const double> values, std::span<const double> slopes = {});
  /// The same; write the values to the result, followed by slopes.
  double* append(double t);
  /// Columns that may have slopes.
  std::size_t slope_count() const { return stride_ - 1 - columns_; }
  /// Makes everything up to t available to the reader.
  void publish(double t);

  // The reader:
  double published() const { return published_.load(std::memory_order_acquire); }
  /// The last time at which values can be read, but for rounding.
  double known_until() const {
    const double t = published();
    return t + nearness_at(t);
  }
  /// The value from t on, or the value until t. @pre t <= known_until()
  void read(double t, std::span<double> values, bool before = false);
  /// Derivatives at t, from there on or until then. At a sample: its own slopes or, without any,
  /// those of the line that leads to it, with or without later samples.
  void read_slopes(double t, std::span<double> slopes, bool before = false);
  /// The first time after t with two samples, of those that are published; infinity: none.
  double next_jump(double t);
  /// The times of samples strictly between, as many as fit. Returns their number.
  std::size_t sample_times(double after, double before, std::span<double> times);
  /// No later read is before t.
  void forget_before(double t);
  /// The time of the reader, for a sender that must not run ahead of it without bound.
  double read_until() const { return read_until_.load(std::memory_order_acquire); }
  void note_reader(double t) { read_until_.store(t, std::memory_order_release); }

  /// @pre neither side is at work
  void keep(Memory& memory);
  std::size_t sample_count() const;

 private:
  static constexpr std::size_t chunk_size = 8;  ///< a table usually has few samples
  struct Chunk;
  /// A sample that the reader looks at.
  struct Cursor {
    Chunk* chunk = nullptr;
    const double* sample = nullptr;
    std::size_t index = 0;  ///< in the chunk
    std::uint64_t number = 0;
    double time() const { return *sample; }
  };
  /// The next sample, if it is published; else null.
  const double* after(const Cursor& cursor) const;
  void move_to(Cursor& cursor, const double* following) const;
  bool next(Cursor& cursor) const;
  bool previous(Cursor& cursor) const;
  /// The last sample at or before t, or the first of all.
  const double* find(double t) { return find(t, nearness_at(t)); }
  const double* find(double t, double nearness);
  double nearness_at(double t) const;
  bool has_slopes(const double* sample) const;
  bool are_cubic(const double* from, const double* to) const;
  void clear();
  Chunk* make_chunk();
  void hand_back(Chunk* chunk);
  Chunk* allocate() const;
  static void release_all(Chunk* chunk);

  const std::size_t columns_;
  /// Of a sample: the time, the values and, where there are any, the slopes; NaN: it has none.
  const std::size_t stride_;
  const double nearness_;
  // The sender's.
  Chunk* last_ = nullptr;
  std::size_t last_size_ = 0;
  std::uint64_t appended_ = 0;
  Chunk* free_ = nullptr;  ///< for reuse
  // The reader's.
  Chunk* first_ = nullptr;
  std::uint64_t first_number_ = 0;  ///< of the first sample in first_
  Cursor cursor_;
  // Shared members, on separate cache lines.
  alignas(64) std::atomic<std::uint64_t> count_{0};
  std::atomic<double> published_;
  alignas(64) std::atomic<double> read_until_;
  std::atomic<Chunk*> spare_{nullptr};  ///< that the reader no longer needs
};

}  // namespace tutti::master::tlm
