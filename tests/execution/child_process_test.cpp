// SPDX-License-Identifier: BSD-2-Clause
#include "execution/child_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace tutti::execution {
namespace {

void wait_for(ChildProcess& child) {
  while (!child.has_ended()) child.wait_at_most(std::chrono::microseconds(1000));
}

class SignalToTheGroup : public ::testing::TestWithParam<int> {
 protected:
  // Under nohup, or in the background of a script, it is ignored, which programs inherit.
  SignalToTheGroup() : before_(::signal(GetParam(), SIG_DFL)) {}
  ~SignalToTheGroup() override { ::signal(GetParam(), before_); }

 private:
  sighandler_t before_;
};
INSTANTIATE_TEST_SUITE_P(ChildProcess, SignalToTheGroup,
                         ::testing::Values(SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1),
                         [](const auto& test) { return ::sigabbrev_np(test.param); });

TEST_P(SignalToTheGroup, DoesNotEndTheChild) {
  ChildProcess child([] { ::raise(GetParam()); });
  wait_for(child);
  EXPECT_TRUE(child.ended_well()) << child.how_it_ended();
}

TEST_P(SignalToTheGroup, EndsProgramsThatTheChildStarts) {
  ChildProcess child([] {
    const std::string command = "kill -" + std::to_string(GetParam()) + " $$";
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  });
  wait_for(child);
  EXPECT_TRUE(child.was_killed()) << child.how_it_ended();
}

// The system then keeps no exit status.
TEST(ChildProcess, EndsAlsoWhereSigchldIsIgnored) {
  const sighandler_t before = ::signal(SIGCHLD, SIG_IGN);
  {
    ChildProcess child([] {});
    wait_for(child);
    EXPECT_TRUE(child.ended_well());
    EXPECT_FALSE(child.was_killed());
    EXPECT_NE(child.how_it_ended().find("SIGCHLD is ignored"), std::string::npos);
  }
  {
    ChildProcess child([] { ::pause(); });
    EXPECT_FALSE(child.has_ended());
    child.kill();
    EXPECT_TRUE(child.has_ended());
  }
  ::signal(SIGCHLD, before);
}

}  // namespace
}  // namespace tutti::execution
