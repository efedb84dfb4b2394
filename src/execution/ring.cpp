// SPDX-License-Identifier: BSD-2-Clause
#include "execution/ring.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <new>
#include <stdexcept>
#include <thread>
#include <tutti/error.hpp>

namespace tutti::execution {

struct Ring::Header {
  alignas(64) std::atomic<std::uint64_t> written{0};
  alignas(64) std::atomic<std::uint64_t> read{0};
};

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

Ring::Ring(std::size_t capacity) : capacity_(std::bit_ceil(capacity)) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t used = (sizeof(Header) + capacity_ + page - 1) / page * page;
  mapped_ = used + 2 * page;
  void* const memory =
      ::mmap(nullptr, mapped_, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(memory);
  if (::mprotect(mapping_ + page, used, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(mapping_, mapped_);
    throw std::bad_alloc();
  }
  header_ = new (mapping_ + page) Header;
  data_ = mapping_ + page + sizeof(Header);
}

Ring::~Ring() { ::munmap(mapping_, mapped_); }

/// Not against malice, but four sums that differ when a few words do; one of them alone would make
/// each word wait for the one before.
std::uint64_t Ring::checksum_of(const Frame& frame, std::uint64_t at) const {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
  std::uint64_t sums[4] = {frame.size, frame.kind, frame.number, factor};
  const std::byte* const bytes = data_ + at % capacity_ + sizeof(Frame);
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
  std::memcpy(&rest, bytes + words * sizeof rest, frame.size % sizeof rest);
  sums[1] = (sums[1] ^ rest) * factor;
  return (((sums[0] * 3 ^ sums[1]) * 3 ^ sums[2]) * 3 ^ sums[3]) * factor;
}

void Ring::refuse() {
  throw Error(
      ErrorCode::fmu,
      "the memory through which results come was overwritten: an FMU writes where it must "
      "not",
      {.hint = "Results before that are kept; `tutti check --run` looks at one FMU alone."});
}

std::span<std::byte> Ring::reserve(std::size_t size) {
  if (size > largest_message()) throw std::logic_error("message too large for the ring");
  for (unsigned attempt = 0; writing_.test_and_set(std::memory_order_acquire); ++attempt)
    wait_a_little(attempt);
  const std::size_t needed = sizeof(Frame) + padded(size);
  std::uint64_t at = header_->written.load(std::memory_order_relaxed);
  const std::size_t to_end = capacity_ - at % capacity_;
  const std::size_t skipped = to_end < needed ? to_end : 0;
  for (unsigned attempt = 0; at + skipped + needed - known_read_ > capacity_; ++attempt) {
    known_read_ = header_->read.load(std::memory_order_acquire);
    if (at + skipped + needed - known_read_ > capacity_) wait_a_little(attempt);
  }
  if (skipped != 0) {
    std::memcpy(data_ + at % capacity_, &skip_to_start, sizeof skip_to_start);
    at += skipped;
  }
  reserved_at_ = at;
  reserved_size_ = size;
  return {data_ + at % capacity_ + sizeof(Frame), size};
}

void Ring::commit(std::uint32_t kind) {
  Frame frame{static_cast<std::uint32_t>(reserved_size_), kind, sent_++, 0};
  frame.checksum = checksum_of(frame, reserved_at_);
  std::memcpy(data_ + reserved_at_ % capacity_, &frame, sizeof frame);
  header_->written.store(reserved_at_ + sizeof(Frame) + padded(reserved_size_),
                         std::memory_order_release);
  writing_.clear(std::memory_order_release);
}

bool Ring::next(Message& message) {
  const std::uint64_t written = header_->written.load(std::memory_order_acquire);
  if (read_at_ == written) return false;
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
        reading_size_ <= written - read_at_ && frame.checksum == checksum_of(frame, read_at_));
  message = {frame.kind, {data_ + read_at_ % capacity_ + sizeof(Frame), frame.size}};
  return true;
}

void Ring::release() {
  ++received_;
  read_at_ += reading_size_;
  header_->read.store(read_at_, std::memory_order_release);
}

void Ring::discard() {
  header_->read.store(header_->written.load(std::memory_order_acquire), std::memory_order_release);
}

}  // namespace tutti::execution
