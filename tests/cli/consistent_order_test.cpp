// SPDX-License-Identifier: BSD-2-Clause
#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

// y = u of `late` depends on u at communication points (Outputs), but not at the start
// (InitialUnknowns): what follows it there must be computed after it.
TEST_F(Run, ConsistentValuesAreComputedInTheOrderOfTheRunningSystem) {
  for (const char* version : {"2.0", "3.0"}) {
    write({{"c", "Gain", ""}, {"late", "Late", ""}, {"ramp", "Integrator", "u = 1.0"}},
          {"\"ramp.x -> late.u\"", "\"late.y -> c.u\""},
          "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"jacobi\"\ninputs = { correct = "
          "\"consistent\" }\n[results]\nvariables = [\"*.y\", \"ramp.x\"]\n",
          version);
    const auto last = run({"--set", "components.c.as=me", "--set", "components.late.as=me", "--set",
                           "components.ramp.as=me"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_EQ(last.at("late.y"), last.at("ramp.x")) << version;
    EXPECT_EQ(last.at("c.y"), last.at("ramp.x")) << version;
  }
}

}  // namespace
}  // namespace tutti::testing
