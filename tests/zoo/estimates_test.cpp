// SPDX-License-Identifier: BSD-2-Clause
// The estimated global error beside the true one. `build/bench/zoo build/zoo --estimates` prints
// all.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/command.hpp"
#include "support/places.hpp"
#include "zoo/run.hpp"

namespace zoo {
namespace {

zoo::Run estimated_run(const std::string& name, Ability ability, double tolerance) {
  const auto& all = systems();
  const auto system =
      std::find_if(all.begin(), all.end(), [&](const System& s) { return s.name == name; });
  const tutti::testing::Workplace place;
  const Runner runner(tutti::places::build_folder() / "zoo", place.path());
  return runner.run_automatic(*system, Reference(*system), ability, tolerance, 60);
}

// For linear systems the propagation of errors is exact, and the error of an input is known to the
// next power of the step. 3: the first steps, whose past is too short to know that well.
TEST(EstimatedErrors, AreNearTheTrueOnesOfLinearSystems) {
  for (const char* name : {"linear-4-4", "linear-2d-6", "chain", "oscillator", "follower-1e3"})
    for (const Ability ability : {Ability::all, Ability::values})
      for (const double tolerance : {1e-3, 1e-5}) {
        const zoo::Run run = estimated_run(name, ability, tolerance);
        ASSERT_EQ(run.status, 0) << run.message;
        for (const OutputError& output : run.outputs) {
          const std::string where = name + (": " + output.name) + ", " + name_of(ability) +
                                    ", true " + std::to_string(output.error / tolerance) +
                                    " tolerances";
          ASSERT_TRUE(output.estimated) << where;
          // The components are exact to about 1e-12 themselves.
          EXPECT_LT(*output.estimated, 3 * output.error + 1e-11) << where;
          EXPECT_GT(*output.estimated, output.error / 3 - 1e-11) << where;
        }
      }
}

// Models of the start say nothing of what is nonlinear, switches, or is driven by a table.
TEST(EstimatedErrors, AreLeftOutWhereModelsDoNotFollowTheRun) {
  for (const char* name : {"lorenz", "van-der-pol-1", "brusselator", "relay-oscillation",
                           "counter-logic", "table-kinks", "masses-1e4"}) {
    const zoo::Run run = estimated_run(name, Ability::all, 1e-3);
    ASSERT_EQ(run.status, 0) << run.message;
    for (const OutputError& output : run.outputs) {
      if (output.name == "drive.y") continue;  // a source, which is exact
      EXPECT_FALSE(output.estimated) << name << ": " << output.name;
    }
  }
}

// That parabolas are not in their middle what they are in the mean was not seen: 24 tolerances.
TEST(WeighedErrors, AreThoseThatInputsHad) {
  const zoo::Run lasting = estimated_run("oscillator", Ability::values, 1e-7);
  EXPECT_EQ(lasting.status, 0) << lasting.message;
  EXPECT_LT(lasting.error, 10 * 1e-7);
}

}  // namespace
}  // namespace zoo
