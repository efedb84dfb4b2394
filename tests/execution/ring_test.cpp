// SPDX-License-Identifier: BSD-2-Clause
#include "execution/ring.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <thread>
#include <tutti/error.hpp>
#include <vector>

#include "execution/worker.hpp"
#include "execution/worker_memory.hpp"

namespace tutti::execution {
namespace {

/// A ring with memory of its own.
struct OwnRing : private SharedMemory, public Ring {
  explicit OwnRing(std::size_t capacity)
      : SharedMemory(Ring::bytes_for(capacity)), Ring(SharedMemory::bytes()) {}
  std::byte* memory() const { return SharedMemory::bytes().data(); }
};

void send(Ring& ring, std::uint32_t kind, const std::vector<unsigned char>& bytes) {
  const auto place = ring.reserve(bytes.size());
  if (!bytes.empty()) std::memcpy(place.data(), bytes.data(), bytes.size());
  ring.commit(kind);
}

TEST(Ring, DeliversMessagesOfEverySizeInOrderAcrossThreads) {
  OwnRing ring(4096);
  constexpr std::uint32_t count = 20000;
  std::thread writer([&] {
    std::mt19937 random(7);
    for (std::uint32_t i = 0; i < count; ++i)
      send(ring, i, std::vector<unsigned char>(random() % 900, static_cast<unsigned char>(i)));
  });
  std::mt19937 random(7);
  for (std::uint32_t i = 0; i < count;) {
    Ring::Message message;
    if (!ring.next(message)) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(message.kind, i);
    ASSERT_EQ(message.bytes.size(), random() % 900);
    for (const std::byte byte : message.bytes)
      ASSERT_EQ(byte, static_cast<std::byte>(static_cast<unsigned char>(i)));
    ring.release();
    ++i;
  }
  writer.join();
}

TEST(Ring, KeepsWhatAChildCommittedBeforeItCrashed) {
  OwnRing ring(1 << 16);
  Process child(fork_process([&] {
    for (unsigned char i = 0; i < 100; ++i) send(ring, i, {i});
    ring.reserve(16);  // never committed
    ::raise(SIGKILL);
  }));
  while (!child.has_ended()) std::this_thread::yield();
  EXPECT_EQ(child.how_it_ended(), "killed (SIGKILL)");
  EXPECT_FALSE(child.ended_well());
  Ring::Message message;
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(ring.next(message));
    EXPECT_EQ(message.kind, i);
    ring.release();
  }
  EXPECT_FALSE(ring.next(message));
}

/// Two messages, of which the first is in the reader's hand.
class DamagedRing : public ::testing::Test {
 protected:
  DamagedRing() {
    for (unsigned char i = 0; i < 2; ++i) send(ring_, i, std::vector<unsigned char>(100, i));
    EXPECT_TRUE(ring_.next(message_));
    place_ = ring_.memory() + 128 + 24;  // header, frame
  }
  /// The bytes before and behind the contents of the first message: its frame and the next one.
  void damage(std::ptrdiff_t at) { place_[at] ^= std::byte{1}; }
  bool is_noticed() {
    try {
      ring_.next(message_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::fmu);
      return std::string(error.what()).find("was overwritten") != std::string::npos;
    }
    return false;
  }
  OwnRing ring_{1 << 16};
  Ring::Message message_;
  std::byte* place_ = nullptr;
};

TEST_F(DamagedRing, IsNoticedInEveryBitOfAMessageAndItsFrame) {
  for (std::ptrdiff_t at = -24; at < 100; ++at) {
    damage(at);
    EXPECT_TRUE(is_noticed()) << at;
    damage(at);
  }
  EXPECT_FALSE(is_noticed());
  EXPECT_EQ(message_.kind, 0u);
}

TEST_F(DamagedRing, IsNoticedWhereAMessageStandsInThePlaceOfAnother) {
  std::memcpy(place_ - 24, place_ + 104, 124);  // the second one, whole
  EXPECT_TRUE(is_noticed());
}

TEST_F(DamagedRing, IsNoticedInTheCountersOfTheWriter) {
  const std::ptrdiff_t written = -24 - 128;  // the header stands before the first frame
  damage(written + 7);
  EXPECT_TRUE(is_noticed());
}

TEST_F(DamagedRing, LetsTheWriterGoOnWhenItIsDiscarded) {
  damage(0);
  EXPECT_TRUE(is_noticed());
  for (int i = 0; i < 10'000; ++i) {  // more than fits
    send(ring_, 7, std::vector<unsigned char>(100));
    ring_.discard();
  }
}

TEST(Ring, IsBetweenPagesThatNobodyMayWrite) {
  OwnRing ring(1 << 12);
  for (const bool before : {true, false}) {
    Process child(fork_process([&] {
      const auto place = ring.reserve(8);
      std::memset(before ? place.data() - 8192 : place.data(), 1, before ? 8192 : 3 * 4096);
    }));
    while (!child.has_ended()) std::this_thread::yield();
    EXPECT_FALSE(child.ended_well());  // by SIGSEGV, or by a sanitizer that catches it
  }
}

TEST(Ring, SendsMessagesOfAnyLengthInParts) {
  const SharedMemory memory(Ring::bytes_for(1 << 12));
  Ring writer(memory.bytes()), reader(memory.bytes());
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += static_cast<char>('a' + i % 23);
  std::thread sends([&] {
    for (std::uint32_t i = 0; i < 20; ++i) {
      writer.send(i, text.substr(0, i * 5000));
      send(writer, 100, {1, 2, 3});
    }
  });
  for (std::uint32_t i = 0; i < 40;) {
    Ring::Message message;
    if (!reader.next(message)) {
      std::this_thread::yield();
      continue;
    }
    if (i % 2 == 0) {
      ASSERT_EQ(message.kind, i / 2);
      ASSERT_EQ(message.text(), text.substr(0, i / 2 * 5000));
    } else {
      ASSERT_EQ(message.kind, 100u);
      ASSERT_EQ(message.bytes.size(), 3u);
    }
    reader.release();
    ++i;
  }
  sends.join();
}

TEST(Ring, GivesUpWaitingForRoomWhenItsOwnerSaysSo) {
  OwnRing ring(1 << 12);
  ring.when_full([] { throw Error(ErrorCode::crash, "nobody reads"); });
  EXPECT_THROW(ring.send(1, std::string(10'000, 'x')), Error);
  EXPECT_THROW(ring.send(1, std::string(10'000, 'x')), Error);  // and can be used again
}

}  // namespace
}  // namespace tutti::execution
