// SPDX-License-Identifier: BSD-2-Clause
#include "execution/worker.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

namespace tutti::execution {
namespace {

void wait_for(Process& process) {
  while (!process.has_ended()) process.wait_at_most(std::chrono::microseconds(1000));
}

TEST(Process, KnowsHowItEnded) {
  Process exits(fork_process([] { ::_exit(3); }));
  wait_for(exits);
  EXPECT_EQ(exits.how_it_ended(), "exit status 3");
  EXPECT_FALSE(exits.ended_well());
  Process aborts(fork_process([] {
    ::signal(SIGABRT, SIG_DFL);
    ::raise(SIGABRT);
  }));
  wait_for(aborts);
  EXPECT_EQ(aborts.how_it_ended(), "aborted (SIGABRT)");
  EXPECT_TRUE(aborts.was_killed());
}

TEST(Process, IsKilledIfItDoesNotEnd) {
  Process hangs(fork_process([] {
    while (true) ::pause();
  }));
  EXPECT_FALSE(hangs.has_ended());
  hangs.kill();
  EXPECT_TRUE(hangs.has_ended());
}

// The system then keeps no exit status.
TEST(Process, EndsAlsoWhereSigchldIsIgnored) {
  const sighandler_t before = ::signal(SIGCHLD, SIG_IGN);
  {
    Process process(fork_process([] {}));
    wait_for(process);
    EXPECT_TRUE(process.ended_well());
    EXPECT_FALSE(process.was_killed());
    EXPECT_NE(process.how_it_ended().find("SIGCHLD is ignored"), std::string::npos);
  }
  {
    Process process(fork_process([] { ::pause(); }));
    EXPECT_FALSE(process.has_ended());
    process.kill();
    EXPECT_TRUE(process.has_ended());
  }
  ::signal(SIGCHLD, before);
}

}  // namespace
}  // namespace tutti::execution
