// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::execution {

/// A queue of byte messages from one writer to one reader, in memory that two processes may map:
/// the reader can still read committed messages after the writer's process has ended. The writer
/// waits while the ring is full; the reader never waits.
///
/// A process that runs FMUs may write anywhere. So neither side trusts the memory: its own position
/// is not in it, and a message must have the next number, end before the writer's position, and
/// match its checksum.
class Ring {
 public:
  /// The writer's or the reader's end, or both. The memory holds zeros when the first end is made,
  /// and outlives it.
  explicit Ring(std::span<std::byte> memory);
  /// The memory size of a ring.
  static std::size_t bytes_for(std::size_t capacity);
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  struct Message {
    std::uint32_t kind = 0;
    std::span<const std::byte> bytes;
    std::string_view text() const {
      return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
  };

  // The writer's side: fill what reserve() gives, then commit(). Contents are aligned to 8 bytes.
  // Between the two, other threads of the writer (an FMU may log from its own) wait.
  std::span<std::byte> reserve(std::size_t size);
  void commit(std::uint32_t kind);
  std::size_t largest_message() const { return capacity_ / 4; }
  /// A message of any size: a long one is sent in parts.
  void send(std::uint32_t kind, std::string_view bytes);
  /// Called repeatedly while the ring is full; may throw.
  void when_full(std::function<void()> action) { when_full_ = std::move(action); }

  // The reader's side: false if there is no message; a message is valid until release().
  // @throws Error(fmu) if the memory was overwritten
  bool next(Message& message);
  void release();
  /// Skips all messages, so that the writer does not wait for a reader that has stopped.
  void discard();

 private:
  struct Header {  // in the memory
    alignas(64) std::atomic<std::uint64_t> written;
    alignas(64) std::atomic<std::uint64_t> read;
  };
  struct Frame {
    std::uint32_t size;  // of the contents, without padding
    std::uint32_t kind;
    std::uint64_t number;    // of the message, starting at 0
    std::uint64_t checksum;  // of the contents and of the above
  };
  static std::uint64_t checksum_of(const Frame& frame, const std::byte* bytes);
  void start_writing();
  void wait_for_room(std::uint64_t end);
  std::span<std::byte> place(std::size_t size);
  void publish(std::uint32_t kind);
  bool next_part(Message& part);
  [[noreturn]] static void refuse();
  static constexpr std::uint32_t skip_to_start = 0xFFFFFFFF;
  static constexpr std::uint32_t more_follows = 0x80000000;  // of a kind

  Header* header_;
  std::byte* data_;
  std::size_t capacity_;
  std::atomic_flag writing_;
  std::function<void()> when_full_;
  // Positions only grow; modulo capacity_ they are offsets.
  std::uint64_t written_ = 0;       // writer
  std::uint64_t reserved_at_ = 0;   // writer
  std::size_t reserved_size_ = 0;   // writer
  std::uint64_t known_read_ = 0;    // reader's position, as last read by the writer
  std::uint64_t sent_ = 0;          // writer: messages
  std::uint64_t read_at_ = 0;       // reader
  std::uint64_t reading_size_ = 0;  // reader: bytes of the present message
  std::uint64_t received_ = 0;      // reader: messages
  std::vector<std::byte> copy_;     // reader: of the present message, or of its last part
  std::string joined_;              // reader: of parts
  bool is_joined_ = false;          // reader: it contains the present message
};

}  // namespace tutti::execution
