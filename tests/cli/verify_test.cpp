// SPDX-License-Identifier: BSD-2-Clause
// A second run, more accurate than the first, beside it.
#include <gmock/gmock.h>
#include <signal.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Verify : public SystemRun {
 protected:
  /// x'' = -x over three periods.
  void write_oscillator(const std::string& settings) {
    write({{"a", "Integrator", "x = 1.0"}, {"b", "Integrator", ""}},
          {"\"a.x -> b.u\"", "{ from = \"b.x\", to = \"a.u\", factor = -1.0 }"},
          "[simulation]\nstop = 20.0\n" + settings + "[results]\nvariables = [\"*.x\"]\n");
  }
  nlohmann::json verification() const {
    return nlohmann::json::parse(place_.read("r.meta.json"))["verification"];
  }
};

TEST_F(Verify, AgreesWhereTheToleranceIsKept) {
  for (const char* settings :
       {"method = \"auto\"\n", "control = \"predictor\"\ninputs.order = 1\n"}) {
    write_oscillator(settings);
    run({"--verify"});
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_THAT(answer_.out, HasSubstr("verification"));
    EXPECT_EQ(verification()["outcome"], "agrees");
    EXPECT_EQ(verification()["variables"].size(), 2u);
    EXPECT_LT(verification()["variables"][0]["tolerances"], 10);
  }
}

// Held inputs are explicit Euler: the amplitude grows by exp(t h/2), and half of that in the other
// run: at 20 s by 10.5 % and 5.1 %.
TEST_F(Verify, FindsErrorsOfMoreThanTenTolerances) {
  write_oscillator("step = 0.01\nmethod = \"jacobi\"\n");
  run({"--verify", "1e-3"});
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("verification: "));
  EXPECT_THAT(answer_.err, HasSubstr("tolerances, at t = "));
  EXPECT_THAT(answer_.err,
              HasSubstr("with simulation.step = 0.005. Try a smaller simulation.step"));
  EXPECT_THAT(answer_.out, HasSubstr("results in \"r.csv\""));
  EXPECT_EQ(verification()["outcome"], "deviates");
  EXPECT_NEAR(verification()["variables"][0]["deviation"], 0.053, 0.004);
  run({"--verify", "1e-2"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
}

// Implicit Euler: 1.01^-100 and 1.005^-200 at 1 s.
TEST_F(Verify, HalvesTheStepsThatASolverHasByItself) {
  place_.write("s.toml",
               fmt::format("[system]\nname = \"decay\"\n[components.decay]\nfmu = \"{}\"\n"
                           "as = \"me\"\nsolver = {{ name = \"implicit-euler\", h = 0.01 }}\n"
                           "[simulation]\nstop = 1.0\nstep = 0.02\n"
                           "[results]\nvariables = [\"decay.x\"]\n",
                           fmu("2.0", "Dahlquist")));
  run({"--verify", "1e-2"});
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  // Between the points of the first run lines are wrong by 0.02^2 / 8.
  EXPECT_NEAR(verification()["variables"][0]["deviation"], 9.14e-4, 6e-5);
}

TEST_F(Verify, NeedsAToleranceWhereStepsAreFixed) {
  write_oscillator("step = 0.01\n");
  run({"--verify"});
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("try --verify 1e-3"));
  run({"--verify", "tight"});
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("\"tight\" is not a positive number"));
}

TEST_F(Verify, MayStandBeforeTheSystem) {
  write_oscillator("step = 0.01\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "--verify", "s.toml", "-o", "none"},
        {"run", "--verify", "s.toml"},
        {"run", "--verify"}}) {
    const Answer answer = place_.tutti(arguments);
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.err, HasSubstr(arguments.size() > 2 ? "try --verify 1e-3"
                                                           : "a system file is required"));
  }
  EXPECT_EQ(place_.tutti({"run", "--verify", "0.1", "s.toml", "-o", "none"}).status, 0);
}

TEST_F(Verify, ChangesNothingInTheRun) {
  for (const char* settings : {"method = \"auto\"\n", "step = 0.01\n"}) {
    write_oscillator(settings);
    run();
    const std::string plain = place_.read("r.csv");
    const auto calls = statistics()["calls"];
    run({"--verify", "0.1"});
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_EQ(place_.read("r.csv"), plain);
    EXPECT_EQ(statistics()["calls"], calls);
    EXPECT_EQ(place_.leftover_count(), 0u);
  }
}

// The ball of model exchange bounces at times that hang on the tolerance of its integrator.
TEST_F(Verify, TakesJumpsAtSlightlyDifferentTimesForTheSame) {
  for (const char* version : {"2.0", "3.0"}) {
    write({{"ball", "BouncingBall", ""}, {"filter", "Feedback", ""}}, {"\"ball.v -> filter.u\""},
          "[simulation]\nstop = 3.0\nmethod = \"auto\"\n", version);
    for (const char* as : {"cs", "me"}) {
      run({"--verify", "--set", std::string("components.ball.as=") + as, "--set",
           "components.ball.solver.rtol=1e-5"});
      EXPECT_EQ(answer_.status, 0) << version << as << answer_.err;
    }
  }
}

TEST_F(Verify, SaysWhyTheSecondRunFailed) {
  write({{"a", "FixedStep", ""}, {"b", "Gain", ""}}, {},
        "[simulation]\nstep = 0.1\n[inputs]\nset = { b.u = 1.0 }\n");
  run({"--verify", "1e-3"});
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("could not verify: the run with simulation.step = 0.05 "
                                     "failed: component \"a\""));
  EXPECT_THAT(answer_.out, HasSubstr("results in \"r.csv\""));
  EXPECT_EQ(verification()["outcome"], "not possible");
}

TEST_F(Verify, NamesComponentsThatAreNotDeterministic) {
  write({{"a", "faulty_moody", ""}, {"b", "Integrator", ""}}, {"\"a.y -> b.u\""},
        "[simulation]\nstep = 0.1\n");
  run({"--verify", "1e-6"});
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("a component is not deterministic"));
  run({"--verify", "1e-6", "--set", "a.from=0.5"});
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("no tolerance makes two runs agree for long"));
}

TEST_F(Verify, EndsBothRunsAtCtrlC) {
  write({{"a", "faulty_slow_step", "at = 0.0"}}, {}, "[simulation]\nstop = 100.0\nstep = 0.1\n");
  answer_ = place_.tutti({"run", "s.toml", "-o", "r.csv", "--verify", "1e-3"}, {{1, SIGINT}});
  EXPECT_EQ(answer_.status, 130);
  EXPECT_THAT(answer_.err, HasSubstr("the results up to then are in \"r.csv\""));
  EXPECT_EQ(place_.leftover_count(), 0u);
}

// Twice as many steps of 0.2 s each: the second run is at work when the first has ended.
TEST_F(Verify, KeepsTheResultsWhenTheSecondRunIsInterrupted) {
  write({{"a", "faulty_slow_step", "at = 0.0"}}, {}, "[simulation]\nstop = 1.0\nstep = 0.1\n");
  answer_ = place_.tutti({"run", "s.toml", "-o", "r.csv", "--verify", "1e-3"}, {{3, SIGINT}});
  EXPECT_EQ(answer_.status, 130);
  EXPECT_THAT(answer_.err, HasSubstr("the results are complete, but not verified"));
  EXPECT_EQ(csv_rows(place_.read("r.csv")).back()[0], "1");
  EXPECT_EQ(place_.leftover_count(), 0u);
}

}  // namespace
}  // namespace tutti::testing
