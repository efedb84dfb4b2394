// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::execution {

/// A queue of byte messages from one process to one reader, in memory that survives a fork as
/// shared: what the writer committed is still there for the reader when the writer's process has
/// died. The writer waits while the ring is full; the reader never waits.
///
/// The writer's process runs FMUs, which may write anywhere. Pages without access stand before and
/// behind the memory, and the reader trusts nothing in it: its own position is not there, and a
/// message must be the next one by its number, end where the writer has been, and be what its
/// checksum says.
class Ring {
 public:
  /// @pre every message is at most capacity/4 bytes
  explicit Ring(std::size_t capacity);
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  struct Message {
    std::uint32_t kind = 0;
    std::span<const std::byte> bytes;
  };

  // The writer's side: fill what reserve() gives, then commit(). Contents are aligned to 8 bytes.
  // Between the two, other threads of the writer (an FMU may log from its own) wait.
  std::span<std::byte> reserve(std::size_t size);
  void commit(std::uint32_t kind);
  std::size_t largest_message() const { return capacity_ / 4; }

  // The reader's side: false if there is nothing; a message is valid until release().
  // @throws Error(fmu): what is there is not what was sent
  bool next(Message& message);
  void release();
  /// Whatever is there is left out, so that the writer need not wait for a reader that gave up.
  void discard();

 private:
  struct Header;  // counters in the shared memory
  struct Frame {
    std::uint32_t size;  // of the contents, without padding
    std::uint32_t kind;
    std::uint64_t number;    // of the message, from 0 on
    std::uint64_t checksum;  // of the contents and of the above
  };
  std::uint64_t checksum_of(const Frame& frame, std::uint64_t at) const;
  [[noreturn]] static void refuse();
  static constexpr std::uint32_t skip_to_start = 0xFFFFFFFF;

  std::byte* mapping_;  // with the pages around
  Header* header_;
  std::byte* data_;
  std::size_t capacity_;
  std::size_t mapped_;
  std::atomic_flag writing_;
  // Positions grow for ever; modulo capacity_ they are offsets.
  std::uint64_t reserved_at_ = 0;   // writer
  std::size_t reserved_size_ = 0;   // writer
  std::uint64_t known_read_ = 0;    // writer's last look at the reader's position
  std::uint64_t sent_ = 0;          // writer: messages
  std::uint64_t read_at_ = 0;       // reader
  std::uint64_t reading_size_ = 0;  // reader: bytes of the message in hand
  std::uint64_t received_ = 0;      // reader: messages
};

}  // namespace tutti::execution
