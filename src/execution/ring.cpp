// SPDX-License-Identifier: BSD-2-Clause
#include "execution/ring.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <tutti/error.hpp>
#include <utility>

namespace tutti::execution {

namespace {

constexpr std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

/// Short waits stay on the core, long ones leave it to the reader.
void wait_a_little(unsigned attempt) {
  if (attempt < 64)
    std::this_thread::yield();
  else
    ::usleep(100);
}

}  // namespace

std::size_t Ring::bytes_for(std::size_t capacity) {
  return sizeof(Header) + std::bit_ceil(capacity);
}

Ring::Ring(std::span<std::byte> memory)
    : header_(reinterpret_cast<Header*>(memory.data())),
      data_(memory.data() + sizeof(Header)),
      capacity_(std::bit_floor(memory.size() - sizeof(Header))) {}

/// Not cryptographic, but four sums that detect a few changed words; a single sum would make each
/// word wait for the previous one.
std::uint64_t Ring::checksum_of(const Frame& frame, const std::byte* bytes) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
  std::uint64_t sums[4] = {frame.size, frame.kind, frame.number, factor};
  const std::size_t words = frame.size / sizeof(std::uint64_t);
  const auto word = [&](std::size_t k) {
    std::uint64_t value;
    std::memcpy(&value, bytes + k * sizeof value, sizeof value);
    return value;
  };
  std::size_t k = 0;
  for (; k + 4 <= words; k += 4)
    for (std::size_t lane = 0; lane < 4; ++lane)
      sums[lane] = (sums[lane] ^ word(k + lane)) * factor;
  for (; k < words; ++k) sums[0] = (sums[0] ^ word(k)) * factor;
  std::uint64_t rest = 0;
  if (const std::size_t left = frame.size % sizeof rest; left > 0)
    std::memcpy(&rest, bytes + words * sizeof rest, left);
  sums[1] = (sums[1] ^ rest) * factor;
  return (((sums[0] * 3 ^ sums[1]) * 3 ^ sums[2]) * 3 ^ sums[3]) * factor;
}

void Ring::refuse() {
  throw Error(ErrorCode::fmu,
              "the memory for results was overwritten: an FMU writes outside its memory",
              {.hint = "Earlier results are kept; `tutti check --run` tests a single FMU."});
}

void Ring::start_writing() {
  for (unsigned attempt = 0; writing_.test_and_set(std::memory_order_acquire); ++attempt)
    wait_a_little(attempt);
}

void Ring::wait_for_room(std::uint64_t end) {
  for (unsigned attempt = 0; end - known_read_ > capacity_; ++attempt) {
    known_read_ = header_->read.load(std::memory_order_acquire);
    if (known_read_ > written_) known_read_ = 0;  // overwritten: the reader corrects it
    if (end - known_read_ <= capacity_) return;
    try {
      if (when_full_) when_full_();
    } catch (...) {
      writing_.clear(std::memory_order_release);
      throw;
    }
    wait_a_little(attempt);
  }
}

std::span<std::byte> Ring::place(std::size_t size) {
  const std::size_t needed = sizeof(Frame) + padded(size);
  const std::size_t to_end = capacity_ - written_ % capacity_;
  const std::size_t skipped = to_end < needed ? to_end : 0;
  wait_for_room(written_ + skipped + needed);
  if (skipped != 0) std::memcpy(data_ + written_ % capacity_, &skip_to_start, sizeof skip_to_start);
  reserved_at_ = written_ + skipped;
  reserved_size_ = size;
  return {data_ + reserved_at_ % capacity_ + sizeof(Frame), size};
}

void Ring::publish(std::uint32_t kind) {
  Frame frame{static_cast<std::uint32_t>(reserved_size_), kind, sent_++, 0};
  frame.checksum = checksum_of(frame, data_ + reserved_at_ % capacity_ + sizeof(Frame));
  std::memcpy(data_ + reserved_at_ % capacity_, &frame, sizeof frame);
  written_ = reserved_at_ + sizeof(Frame) + padded(reserved_size_);
  header_->written.store(written_, std::memory_order_release);
}

std::span<std::byte> Ring::reserve(std::size_t size) {
  if (size > largest_message()) throw std::logic_error("message too large for the ring");
  start_writing();
  return place(size);
}

void Ring::commit(std::uint32_t kind) {
  publish(kind);
  writing_.clear(std::memory_order_release);
}

void Ring::send(std::uint32_t kind, std::string_view bytes) {
  start_writing();
  for (bool is_last = false; !is_last;) {
    const std::size_t size = std::min(bytes.size(), largest_message());
    is_last = size == bytes.size();
    const std::span<std::byte> room = place(size);
    if (size > 0) std::memcpy(room.data(), bytes.data(), size);
    publish(is_last ? kind : kind | more_follows);
    bytes.remove_prefix(size);
  }
  writing_.clear(std::memory_order_release);
}

bool Ring::next(Message& message) {
  while (next_part(message)) {
    const bool is_last = (message.kind & more_follows) == 0;
    if (is_last && joined_.empty()) return true;
    joined_ += message.text();
    if (is_last) {
      is_joined_ = true;
      message.bytes = std::as_bytes(std::span(joined_));
      return true;
    }
    release();
  }
  return false;
}

bool Ring::next_part(Message& message) {
  const std::uint64_t written = header_->written.load(std::memory_order_acquire);
  if (read_at_ == written) {
    if (header_->read.load(std::memory_order_relaxed) != read_at_) header_->read = read_at_;
    return false;
  }
  const auto check = [&](bool is_right) {
    if (!is_right) refuse();
  };
  check(written > read_at_ && written - read_at_ <= capacity_);
  std::uint32_t size = 0;
  std::memcpy(&size, data_ + read_at_ % capacity_, sizeof size);
  if (size == skip_to_start) {
    read_at_ += capacity_ - read_at_ % capacity_;
    header_->read.store(read_at_, std::memory_order_release);
    if (read_at_ == written) return false;
    check(written > read_at_);
  }
  const std::size_t to_end = capacity_ - read_at_ % capacity_;
  check(sizeof(Frame) <= to_end);
  Frame frame;
  std::memcpy(&frame, data_ + read_at_ % capacity_, sizeof frame);
  reading_size_ = sizeof(Frame) + padded(frame.size);
  check(frame.number == received_ && frame.size <= largest_message() && reading_size_ <= to_end &&
        reading_size_ <= written - read_at_);
  // The checked message cannot change any more: it is a copy.
  copy_.resize(frame.size);
  if (frame.size > 0)
    std::memcpy(copy_.data(), data_ + read_at_ % capacity_ + sizeof(Frame), frame.size);
  check(frame.checksum == checksum_of(frame, copy_.data()));
  message = {frame.kind, copy_};
  return true;
}

void Ring::release() {
  ++received_;
  read_at_ += reading_size_;
  header_->read.store(read_at_, std::memory_order_release);
  if (std::exchange(is_joined_, false)) joined_.clear();
}

void Ring::discard() {
  header_->read.store(header_->written.load(std::memory_order_acquire), std::memory_order_release);
}

}  // namespace tutti::execution
