// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/wave_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/infinity.hpp"
#include "master/tlm/hermite.hpp"

namespace tutti::master::tlm {

/// The samples follow it in memory.
struct WaveTable::Chunk {
  std::atomic<Chunk*> next{nullptr};
  Chunk* previous = nullptr;  ///< written before the chunk is linked, and by the reader
  double* samples() { return reinterpret_cast<double*>(this + 1); }
};

WaveTable::Chunk* WaveTable::allocate() const {
  void* const memory = ::operator new(sizeof(Chunk) + chunk_size * stride_ * sizeof(double));
  return new (memory) Chunk;
}

void WaveTable::release_all(Chunk* chunk) {
  while (chunk != nullptr) ::operator delete(std::exchange(chunk, chunk->next.load()));
}

WaveTable::WaveTable(std::size_t columns, double nearness, std::size_t slopes)
    : columns_(columns),
      stride_(1 + columns + slopes),
      nearness_(nearness),
      published_(-infinity),
      read_until_(-infinity) {
  first_ = last_ = allocate();
  cursor_ = {first_, first_->samples(), 0, 0};
}

WaveTable::~WaveTable() {
  release_all(first_);
  release_all(free_);
  release_all(spare_.load());
}

double WaveTable::nearness_at(double t) const {
  return nearness_ + 8 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

WaveTable::Chunk* WaveTable::make_chunk() {
  if (free_ == nullptr) free_ = spare_.exchange(nullptr, std::memory_order_acquire);
  if (free_ == nullptr) return allocate();
  Chunk* const chunk = free_;
  free_ = chunk->next.load(std::memory_order_relaxed);
  chunk->next.store(nullptr, std::memory_order_relaxed);
  return chunk;
}

/// The sender takes all of them together, so that none can return while this one is being added.
void WaveTable::hand_back(Chunk* chunk) {
  Chunk* others = spare_.load(std::memory_order_relaxed);
  do chunk->next.store(others, std::memory_order_relaxed);
  while (!spare_.compare_exchange_weak(others, chunk, std::memory_order_release,
                                       std::memory_order_relaxed));
}

double* WaveTable::append(double t) {
  if (last_size_ == chunk_size) {
    Chunk* const chunk = make_chunk();
    chunk->previous = last_;
    last_->next.store(chunk, std::memory_order_release);
    last_ = chunk;
    last_size_ = 0;
  }
  double* const sample = last_->samples() + last_size_ * stride_;
  sample[0] = t;
  if (slope_count() > 0) sample[1 + columns_] = std::numeric_limits<double>::quiet_NaN();
  ++last_size_;
  ++appended_;
  return sample + 1;
}

void WaveTable::append(double t, std::span<const double> values, std::span<const double> slopes) {
  double* const sample = append(t);
  std::copy(values.begin(), values.end(), sample);
  std::copy(slopes.begin(), slopes.end(), sample + columns_);
}

void WaveTable::publish(double t) {
  count_.store(appended_, std::memory_order_release);
  published_.store(t, std::memory_order_release);
}

const double* WaveTable::after(const Cursor& cursor) const {
  if (cursor.number + 1 >= count_.load(std::memory_order_acquire)) return nullptr;
  return cursor.index + 1 < chunk_size
             ? cursor.sample + stride_
             : cursor.chunk->next.load(std::memory_order_acquire)->samples();
}

void WaveTable::move_to(Cursor& cursor, const double* following) const {
  if (++cursor.index == chunk_size) {
    cursor.chunk = cursor.chunk->next.load(std::memory_order_acquire);
    cursor.index = 0;
  }
  cursor.sample = following;
  ++cursor.number;
}

bool WaveTable::next(Cursor& cursor) const {
  const double* const following = after(cursor);
  if (following == nullptr) return false;
  move_to(cursor, following);
  return true;
}

bool WaveTable::previous(Cursor& cursor) const {
  if (cursor.number == first_number_) return false;
  if (cursor.index > 0) {
    --cursor.index;
  } else {
    cursor.chunk = cursor.chunk->previous;
    cursor.index = chunk_size - 1;
  }
  cursor.sample = cursor.chunk->samples() + cursor.index * stride_;
  --cursor.number;
  return true;
}

const double* WaveTable::find(double t, double nearness) {
  const double until = t + nearness;
  const double* following = after(cursor_);
  for (; following != nullptr && *following <= until; following = after(cursor_))
    move_to(cursor_, following);
  while (cursor_.time() > until && previous(cursor_)) {
  }
  return cursor_.sample;
}

bool WaveTable::has_slopes(const double* sample) const {
  return slope_count() > 0 && !std::isnan(sample[1 + columns_]);
}

bool WaveTable::are_cubic(const double* from, const double* to) const {
  return has_slopes(from) && has_slopes(to);
}

void WaveTable::read(double t, std::span<double> values, bool before) {
  const double nearness = nearness_at(t);
  const double* const from = find(t, nearness);
  const double* const first = from + 1;
  const double distance = t - from[0];
  const double* const to = distance <= nearness ? nullptr : after(cursor_);
  if (to == nullptr) {
    const double* sample = from;
    for (Cursor back = cursor_; before && previous(back) && back.time() == from[0];)
      sample = back.sample;
    std::copy(sample + 1, sample + 1 + values.size(), values.begin());
    return;
  }
  const double h = to[0] - from[0], s = distance / h;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first[i] + s * (to[1 + i] - first[i]);
  if (!are_cubic(from, to)) return;
  for (std::size_t i = 0; i < std::min(values.size(), slope_count()); ++i)
    values[i] = Hermite(first[i], to[1 + i], first[columns_ + i], to[1 + columns_ + i], h).value(s);
}

void WaveTable::read_slopes(double t, std::span<double> slopes, bool before) {
  const double* from = find(t);
  const double* to = from;
  const double distance = t - from[0];
  if (distance <= nearness_at(t)) {
    Cursor back = cursor_;
    bool has_earlier = previous(back);
    for (; before && has_earlier && back.time() == from[0]; has_earlier = previous(back))
      from = to = back.sample;
    const bool is_here = distance >= -nearness_at(t);
    if (is_here && has_slopes(from)) {
      std::copy_n(from + 1 + columns_, slopes.size(), slopes.begin());
      return;
    }
    if (is_here && has_earlier && back.time() < from[0]) from = back.sample;
  } else if (Cursor ahead = cursor_; next(ahead)) {
    to = ahead.sample;
  }
  const double h = to[0] - from[0];
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (h == 0)
      slopes[i] = 0;
    else if (!are_cubic(from, to))
      slopes[i] = (to[1 + i] - from[1 + i]) / h;
    else
      slopes[i] = Hermite(from[1 + i], to[1 + i], from[1 + columns_ + i], to[1 + columns_ + i], h)
                      .slope(distance / h) /
                  h;
}

double WaveTable::next_jump(double t) {
  find(t);
  Cursor cursor = cursor_;
  double last = cursor.time();
  while (next(cursor)) {
    const double time = cursor.time();
    if (time == last && time > t + nearness_at(t)) return time;
    last = time;
  }
  return infinity;
}

std::size_t WaveTable::sample_times(double after, double before, std::span<double> times) {
  find(after);
  Cursor cursor = cursor_;
  std::size_t count = 0;
  double last = after + nearness_at(after);
  while (next(cursor)) {
    const double time = cursor.time();
    if (time >= before - nearness_at(before)) break;
    if (time <= last) continue;
    if (count < times.size()) times[count] = time;
    ++count;
    last = time;
  }
  return count;
}

// The sample before the first read stays: values are interpolated from there.
void WaveTable::forget_before(double t) {
  note_reader(t);
  find(t);
  while (first_ != cursor_.chunk) {
    Chunk* const old = first_;
    first_ = old->next.load(std::memory_order_acquire);
    first_->previous = nullptr;
    first_number_ += chunk_size;
    hand_back(old);
  }
}

std::size_t WaveTable::sample_count() const {
  return static_cast<std::size_t>(count_.load() - first_number_);
}

void WaveTable::clear() {
  release_all(first_);
  first_ = last_ = allocate();
  last_size_ = 0;
  appended_ = first_number_ = 0;
  count_ = 0;
  cursor_ = {first_, first_->samples(), 0, 0};
}

void WaveTable::keep(Memory& memory) {
  std::vector<double> samples;
  double published = published_, read_until = read_until_;
  if (!memory.restores()) {
    Cursor cursor{first_, first_->samples(), 0, first_number_};
    for (std::size_t i = sample_count(); i-- > 0; next(cursor))
      samples.insert(samples.end(), cursor.sample, cursor.sample + stride_);
  }
  memory(published, read_until, samples);
  if (!memory.restores()) return;
  clear();
  for (std::span<const double> rest(samples); !rest.empty(); rest = rest.subspan(stride_))
    append(rest[0], rest.subspan(1, columns_),
           has_slopes(rest.data()) ? rest.subspan(1 + columns_, slope_count())
                                   : std::span<const double>());
  publish(published);
  note_reader(read_until);
}

}  // namespace tutti::master::tlm
