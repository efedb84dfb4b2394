// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using AutoThreads = SystemRun;

// Rings of two and of three components: one after the other, and all at once, to the bit.
TEST_F(AutoThreads, ChangeNothingThatIsComputed) {
  for (const std::vector<std::string>& ring :
       {std::vector<std::string>{"\"a.y -> b.u\"", "\"b.y -> a.u\"", "\"b.y -> c.u\""},
        std::vector<std::string>{"\"a.y -> b.u\"", "\"b.y -> c.u\"", "\"c.y -> a.u\""}}) {
    write({{"a", "Feedback", "a = -1.0, b = -1.0, x = 1.0"},
           {"b", "Feedback", "a = -1.0, b = 1.0, x = 0.0"},
           {"c", "Feedback", "a = -1.0, b = 1.0, x = 0.0"}},
          ring,
          "[simulation]\nstop = 3.0\nmethod = \"auto\"\ntolerance = 1e-5\n[results]\nvariables = "
          "[\"*.x\"]\n");
    std::string first;
    for (const char* threads : {"1", "2", "3"}) {
      run({"--set", std::string("simulation.threads=") + threads});
      ASSERT_EQ(answer_.status, 0) << answer_.err;
      if (first.empty()) first = place_.read("r.csv");
      EXPECT_EQ(place_.read("r.csv"), first) << threads;
    }
  }
}

}  // namespace
}  // namespace tutti::testing
