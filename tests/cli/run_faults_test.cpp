// SPDX-License-Identifier: BSD-2-Clause
// What `tutti run` says of coupled systems that cannot be simulated.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RunFaults : public SystemRun {};

TEST_F(RunFaults, AValueThatIsNoNumberIsBlamedOnWhoGaveIt) {
  write({{"bad", "faulty_nan_in_step", ""}, {"g", "Gain", "k = 0.1, b = 1.0"}, {"h", "Gain", ""}},
        {"\"bad.y -> g.u\"", "\"g.y -> h.u\"", "\"h.y -> bad.u\""},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  for (const std::string method : {"anderson", "newton", "iterated"})
    for (const std::string norm : {"wrms", "components"}) {
      run({"--set", "simulation.method=" + method, "--set", "simulation.tolerance.norm=" + norm});
      EXPECT_EQ(answer_.status, 1) << method << " " << norm;
      EXPECT_THAT(answer_.err, HasSubstr("at bad.y")) << method << " " << norm;
    }
}

// Values that do not change at all have settled for any tolerance.
TEST_F(RunFaults, AToleranceOfZeroAsksForValuesThatStay) {
  write_loop(0.5, 0.5,
             "method = \"iterated\"\n"
             "tolerance = { abs = 0.0, rel = 0.0, iterations = 100 }\n");
  run();
  EXPECT_EQ(answer_.status, 0) << answer_.err;
}

// The calls at t = 0.5 take 0.2 s each, the six of that step 1.2 s.
TEST_F(RunFaults, ATimeoutIsForOneCall) {
  std::vector<Part> parts;
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    parts.push_back({name, "faulty_slow_step", ""});
  write(parts, {}, "[simulation]\nstop = 0.6\nstep = 0.1\n");
  run({"--step-timeout", "0.5"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
}

// b = not b.
TEST_F(RunFaults, ALoopOfDiscreteValuesThatDoNotSettleIsNamed) {
  write(
      {{"f", "Feedthrough", ""}},
      {"{ from = \"f.boolean_out\", to = \"f.boolean_in\", map = { true = false, false = true } }"},
      "[simulation]\nstop = 1.0\nstep = 0.1\n");
  run();
  EXPECT_EQ(answer_.status, 2) << answer_.err;
  EXPECT_THAT(answer_.err, HasSubstr("loop of 1 variables"));
  EXPECT_THAT(answer_.err, HasSubstr("f.boolean_out does not settle"));
}

TEST_F(RunFaults, OfASystemTheKeyOfTheStepIsNamed) {
  write({{"a", "faulty_discard_without_progress", ""}, {"b", "FixedStep", ""}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\n");
  run();
  EXPECT_EQ(answer_.status, 1) << answer_.err;
  EXPECT_THAT(answer_.err, HasSubstr("Try another simulation.step."));
}

}  // namespace
}  // namespace tutti::testing
