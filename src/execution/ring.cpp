// SPDX-License-Identifier: BSD-2-Clause
#include "execution/ring.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <new>
#include <stdexcept>
#include <thread>

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

Ring::Ring(std::size_t capacity)
    : capacity_(std::bit_ceil(capacity)), mapped_(sizeof(Header) + capacity_) {
  void* memory = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  header_ = new (memory) Header;
  data_ = static_cast<std::byte*>(memory) + sizeof(Header);
}

Ring::~Ring() { ::munmap(header_, mapped_); }

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
    const Frame frame{skip_to_start, 0};
    std::memcpy(data_ + at % capacity_, &frame, sizeof frame);
    at += skipped;
  }
  reserved_at_ = at;
  reserved_size_ = size;
  return {data_ + at % capacity_ + sizeof(Frame), size};
}

void Ring::commit(std::uint32_t kind) {
  const Frame frame{static_cast<std::uint32_t>(reserved_size_), kind};
  std::memcpy(data_ + reserved_at_ % capacity_, &frame, sizeof frame);
  header_->written.store(reserved_at_ + sizeof(Frame) + padded(reserved_size_),
                         std::memory_order_release);
  writing_.clear(std::memory_order_release);
}

bool Ring::next(Message& message) {
  const std::uint64_t written = header_->written.load(std::memory_order_acquire);
  std::uint64_t at = header_->read.load(std::memory_order_relaxed);
  if (at == written) return false;
  Frame frame;
  std::memcpy(&frame, data_ + at % capacity_, sizeof frame);
  if (frame.size == skip_to_start) {
    at += capacity_ - at % capacity_;
    header_->read.store(at, std::memory_order_release);
    if (at == written) return false;
    std::memcpy(&frame, data_ + at % capacity_, sizeof frame);
  }
  reading_size_ = sizeof(Frame) + padded(frame.size);
  message = {frame.kind, {data_ + at % capacity_ + sizeof(Frame), frame.size}};
  return true;
}

void Ring::release() { header_->read.fetch_add(reading_size_, std::memory_order_release); }

}  // namespace tutti::execution
