// SPDX-License-Identifier: BSD-2-Clause
// Events that the change of an input causes, and values that change in the event iteration.
#include <gmock/gmock.h>

#include <algorithm>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

class CoupledEvents : public Run {
 protected:
  /// The values of a recorded column.
  std::vector<double> column(const std::string& name) const {
    const auto rows = csv_rows(place_.read("r.csv"));
    std::vector<double> values;
    if (rows.empty()) return values;
    const auto at = std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin();
    for (std::size_t i = 1; i < rows.size(); ++i)
      values.push_back(std::stod(rows[i].at(static_cast<std::size_t>(at))));
    return values;
  }
  /// The time of the first row in which a column has this value; -1: there is none.
  double first(const std::string& name, double value) const {
    const std::vector<double> times = column("time"), values = column(name);
    const auto found = std::find(values.begin(), values.end(), value);
    return found == values.end() ? -1 : times[static_cast<std::size_t>(found - values.begin())];
  }
};
INSTANTIATE_TEST_SUITE_P(Cli, CoupledEvents, ::testing::Values("1.0-me", "2.0", "3.0"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return "Fmi" + name;
                         });

// x = t crosses 0.55 between the points 0.5 and 0.6. With gauss-seidel the relay gets x(0.6) for
// the step to 0.6, with jacobi for the one that begins there.
TEST_P(CoupledEvents, OfAnInputThatChangesAtAPointAreHandled) {
  for (const auto& [method, switched] : {std::pair("gauss-seidel", 0.6), {"jacobi", 0.7}}) {
    write({{"ramp", "Integrator", "u = 1.0"}, {"relay", "Relay", "level = 0.55"}},
          {"\"ramp.x -> relay.u\""},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"{}\"\n", method),
          GetParam());
    for (const char* at_points : {"restart", "continue"}) {
      const auto last =
          run({"--set", "components.ramp.as=me", "--set", "components.relay.as=me", "--set",
               std::string("components.relay.solver.at-points=") + at_points});
      ASSERT_EQ(answer_.status, 0) << answer_.err;
      EXPECT_NEAR(first("relay.on", 1), switched, 1e-9) << method << at_points;
      EXPECT_EQ(last.at("relay.changes"), 1) << method << at_points;
      EXPECT_EQ(last.at("relay.y"), 1) << method << at_points;
    }
  }
}

// The line that leads on from h(0.3) ends at 0.264 in 0.4, where h is 0.215: it crosses 0.24 in
// the correction between two steps.
TEST_P(CoupledEvents, InsideTheCorrectionOfAnExtrapolatedInputAreHandled) {
  write({{"ball", "BouncingBall", ""}, {"relay", "Relay", "level = 0.24"}},
        {"\"ball.h -> relay.u\""},
        "[simulation]\nstop = 0.5\nstep = 0.1\nmethod = \"jacobi\"\ninputs = { order = 1 }\n",
        GetParam());
  const auto last = run({"--set", "components.ball.as=me", "--set", "components.relay.as=me"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_EQ(column("relay.on").front(), 1);
  EXPECT_EQ(last.at("relay.on"), 0);
  EXPECT_EQ(last.at("relay.changes"), 2);  // on at the start, off at 0.4
}

// The ball turns round at 0.4515 s, inside a step: v jumps from -4.4 to 3.1.
TEST_P(CoupledEvents, OfAnOutputThatJumpsInTheEventOfAnotherAreHandled) {
  write({{"ball", "BouncingBall", ""}, {"relay", "Relay", "level = 0.0"}},
        {"\"ball.v -> relay.u\""},
        "[simulation]\nstop = 0.6\nstep = 0.05\nmethod = \"gauss-seidel\"\n", GetParam());
  const auto last = run({"--set", "components.ball.as=me", "--set", "components.relay.as=me"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(first("relay.on", 1), 0.5, 1e-9);
  EXPECT_EQ(last.at("relay.changes"), 1);
}

// A step that is repeated starts from the signs that were there before: it switches once.
TEST_P(CoupledEvents, AreTheSameWhereStepsAreRepeated) {
  if (std::string(GetParam()) == "1.0-me") GTEST_SKIP() << "FMI 1.0 cannot roll back";
  for (const char* settings : {"method = \"iterated\"\n", "method = \"newton\"\n",
                               "method = \"gauss-seidel\"\ncontrol = { name = \"richardson\", max "
                               "= 0.1, at-min = \"continue\" }\n"}) {
    write({{"ramp", "Integrator", ""}, {"relay", "Relay", "level = 0.55"}},
          {"\"ramp.x -> relay.u\"",
           "{ from = \"relay.y\", to = \"ramp.u\", factor = 1e-9, offset = 1.0 }"},
          fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\n{}", settings), GetParam());
    const auto last = run({"--set", "components.ramp.as=me", "--set", "components.relay.as=me"});
    ASSERT_EQ(answer_.status, 0) << settings << answer_.err;
    EXPECT_EQ(last.at("relay.changes"), 1) << settings;
    EXPECT_EQ(last.at("relay.on"), 1) << settings;
  }
}

TEST_P(CoupledEvents, OfAnInputMayEndTheRun) {
  if (std::string(GetParam()) == "1.0-me") GTEST_SKIP() << "FMI 1.0 cannot roll back";
  write({{"ramp", "Integrator", "u = 1.0"}, {"relay", "Relay", "level = 0.55, ends = true"}},
        {"\"ramp.x -> relay.u\""}, "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"jacobi\"\n",
        GetParam());
  const auto last = run({"--set", "components.ramp.as=me", "--set", "components.relay.as=me"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  const std::string end = "component \"relay\" asked to end the run: t = 0 to 0.6 s";
  EXPECT_THAT(answer_.out, HasSubstr(end));
  EXPECT_NEAR(last.at("time"), 0.6, 1e-9);
  if (std::string(GetParam()) != "3.0") return;
  // In event mode, where its input jumps.
  run({"--set", "components.ramp.as=me", "--set", "components.relay.as=cs", "--set",
       "components.relay.event-mode=on", "--set", "simulation.inputs.inside=linear"});
  EXPECT_THAT(answer_.out, HasSubstr(end));
}

// At t = 5 the counter becomes 6 in the event iteration that follows initialization.
TEST_P(CoupledEvents, AtTheStartReachOthersAtOnce) {
  struct Target {
    const char *version, *as;
  };
  for (const auto& [version, as] :
       {Target{GetParam(), "me"}, Target{"2.0", "cs"}, Target{"3.0", "cs"}}) {
    place_.write("s.toml",
                 fmt::format("[components.gate]\nfmu = \"{}\"\nas = \"{}\"\n[components.stair]\n"
                             "fmu = \"{}\"\nas = \"me\"\n[connections]\nlist = [\"stair.counter -> "
                             "gate.int32_in\"]\n[simulation]\nstart = 5.0\nstop = 5.5\nstep = 0.1\n"
                             "[results]\nvariables = [\"gate.int32_in\", \"gate.int32_out\"]\n",
                             fmu(version, "Feedthrough"), as, fmu(GetParam(), "Stair")));
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_THAT(column("gate.int32_in"), ::testing::Each(6)) << version << as;
    EXPECT_THAT(column("gate.int32_out"), ::testing::Each(6)) << version << as;
  }
}

// The counter is that of a co-simulation FMU: of FMI 3.0 in event mode, as steps are chosen.
TEST_F(CoupledEvents, AtTheStartOfCoSimulationReachOthersAtOnce) {
  for (const char* version : {"2.0", "3.0"})
    for (const char* control : {"fixed", "convergence"}) {
      place_.write("s.toml",
                   fmt::format("[components.gate]\nfmu = \"{0}\"\n[components.stair]\nfmu = \"{1}\""
                               "\n[connections]\nlist = [\"stair.counter -> gate.int32_in\"]\n"
                               "[simulation]\nstart = 5.0\nstop = 5.5\nstep = 0.1\ncontrol = "
                               "{{ name = \"{2}\", max = 0.1 }}\n"
                               "[results]\nvariables = [\"gate.int32_in\", \"gate.int32_out\"]\n",
                               fmu(version, "Feedthrough"), fmu(version, "Stair"), control));
      run();
      ASSERT_EQ(answer_.status, 0) << answer_.err;
      EXPECT_THAT(column("gate.int32_out"), ::testing::Each(6)) << version << control;
    }
}

// Around a cycle one of the two has to be first: its event comes when the other is through.
TEST_P(CoupledEvents, AtTheStartGoAroundACycle) {
  write({{"gate", "Feedthrough", ""}, {"relay", "Relay", "level = 0.5"}},
        {"\"relay.y -> gate.real_in\"",
         "{ from = \"gate.real_out\", to = \"relay.u\", offset = 1.0 }"},
        "[simulation]\nstop = 0.3\nstep = 0.1\nmethod = \"gauss-seidel\"\n[results]\nvariables = "
        "[\"relay.on\", \"gate.real_out\"]\n",
        GetParam());
  run({"--set", "components.gate.as=me", "--set", "components.relay.as=me"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(column("relay.on"), ::testing::Each(1));
  EXPECT_THAT(column("gate.real_out"), ::testing::Each(1));
}

}  // namespace
}  // namespace tutti::testing
