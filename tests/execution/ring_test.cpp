// SPDX-License-Identifier: BSD-2-Clause
#include "execution/ring.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "execution/child_process.hpp"

namespace tutti::execution {
namespace {

void send(Ring& ring, std::uint32_t kind, const std::vector<unsigned char>& bytes) {
  const auto place = ring.reserve(bytes.size());
  if (!bytes.empty()) std::memcpy(place.data(), bytes.data(), bytes.size());
  ring.commit(kind);
}

TEST(Ring, DeliversMessagesOfEverySizeInOrderAcrossThreads) {
  Ring ring(4096);
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
  Ring ring(1 << 16);
  ChildProcess child([&] {
    for (unsigned char i = 0; i < 100; ++i) send(ring, i, {i});
    ring.reserve(16);  // never committed
    ::raise(SIGKILL);
  });
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

TEST(ChildProcess, TellsAnExitStatusAndKillsWhatDoesNotEnd) {
  ChildProcess exits([] { ::_exit(3); });
  while (!exits.has_ended()) std::this_thread::yield();
  EXPECT_EQ(exits.how_it_ended(), "exit status 3");

  ChildProcess hangs([] {
    for (;;) ::pause();
  });
  EXPECT_FALSE(hangs.has_ended());
  hangs.kill();
  EXPECT_TRUE(hangs.has_ended());
}

}  // namespace
}  // namespace tutti::execution
