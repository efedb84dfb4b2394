// SPDX-License-Identifier: BSD-2-Clause
// method = "auto"
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Auto : public SystemRun {
 protected:
  /// x' = u, y = 2 x + 3 u, u = k y and therefore x' = 2 k x/(1 - 3 k).
  void write_feedback(const std::string& back, double k, const std::string& settings,
                      const std::string& version = "2.0") {
    write({{"plant", "Integrator", "x = 1.0"}, {"back", back, fmt::format("k = {:.17g}", k)}},
          {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
          "[simulation]\nstop = 2.0\nmethod = \"auto\"\n" + settings +
              "[results]\nvariables = [\"plant.x\"]\n",
          version);
  }
  /// y = 1 + t u, u = k y
  void write_product(double k, const std::string& version) {
    write({{"ramp", "TunableGain", "gain = 1.0"},
           {"a", "Product", ""},
           {"b", "Gain", fmt::format("k = {:.1f}", k)}},
          {"\"ramp.y -> a.w\"", "\"b.y -> a.u\"", "\"a.y -> b.u\""},
          "[simulation]\nstop = 4.0\nmethod = \"auto\"\ntolerance = 1e-4\n"
          "[results]\nvariables = [\"a.y\"]\n",
          version);
  }
  static double solution(double k) { return std::exp(2 * 2 * k / (1 - 3 * k)); }
};

TEST_F(Auto, MeetsTheToleranceAndSaysWhatItTookAndWhy) {
  double last_error = 1;
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    write_feedback("Gain", -0.9, fmt::format("tolerance = {}\n", tolerance));
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const double error = std::abs(last.at("plant.x") - solution(-0.9));
    EXPECT_LT(error, 10 * tolerance);  // errors of steps add up
    EXPECT_LT(error, last_error);
    last_error = error;
  }
  EXPECT_THAT(answer_.out,
              AllOf(HasSubstr("cycle {plant, back}: auto chose method = \"jacobi\", inputs = { "
                              "order = 2, correct = \"linear\" }\n    because "),
                    HasSubstr("rho(DL) = 1.64")));
  EXPECT_EQ(
      statistics()["auto"],
      "cycle {plant, back}: method = \"jacobi\", inputs = { order = 2, correct = \"linear\" }");
}

// Its derivatives cannot be had, and it cannot go back: what there is is learnt on the way.
TEST_F(Auto, RunsWithFmusThatCanDoNothing) {
  write_feedback("BareGain", -0.2, "tolerance = 1e-4\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("plant.x"), solution(-0.2), 1e-2);
}

TEST_F(Auto, SaysThatItsToleranceIsNotThatOfTheControl) {
  write_feedback("Gain", -0.2, "tolerance = 1e-4\ncontrol.atol = 1e-2\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, HasSubstr("simulation.control.atol and rtol have no effect"));
}

TEST_F(Auto, LeavesCyclesAloneThatHaveAMethod) {
  write_feedback("Gain", -0.9,
                 "tolerance = 1e-5\n[[cycles]]\nof = [\"plant\", \"back\"]\nmethod = \"newton\"\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.out, Not(HasSubstr("auto chose")));
  EXPECT_EQ(statistics()["cycles"][0]["method"], "newton");
  EXPECT_NEAR(last.at("plant.x"), solution(-0.9), 1e-3);
}

// f2 alone is a thousand times faster than the system, and follows what it is told: only predicted
// or iterated steps show what the system does. At the end it has come to 2 within exp(-6) of 2.
TEST_F(Auto, PredictsWhereAComponentFollowsItsInputsMuchTooFast) {
  ASSERT_EQ(place_.tutti({"examples", "copy", "eas_23_stiff_partner", "stiff"}).status, 0);
  answer_ = place_.tutti({"run", "stiff/system.toml", "--set", "simulation.method=auto", "--set",
                          "simulation.tolerance=1e-4", "-o", "r.csv"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.out, HasSubstr("auto chose method = \"linear-implicit\""));
  const auto rows = csv_rows(place_.read("r.csv"));
  EXPECT_NEAR(std::stod(rows.back()[2]), 2.0037, 5e-3);
}

// 0.81 is what errors shrink by with order 1; with order 2 they would grow.
TEST_F(Auto, TakesNoOrderThatALoopMakesUnstable) {
  write({{"one", "FeedbackBare", "a = -1.0, b = 1.0, c = 1.0, d = 0.5, x = 1.0"},
         {"two", "FeedbackBare", "a = -1.0, b = 3.0, c = -5.0, d = -0.5, x = 1.0"}},
        {"\"one.y -> two.u\"", "\"two.y -> one.u\""},
        "[simulation]\nstop = 1.0\nmethod = \"auto\"\ntolerance = 1e-4\n"
        "[results]\nvariables = [\"*.x\"]\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("one.x"), -0.0095369, 1e-2);
}

// The gain is measured at the start, where it is small; later it is beyond what one pass can take.
TEST_F(Auto, TurnsToTheNextSaferWayWhereErrorsDoNotBecomeLess) {
  write_product(-1, "2.0");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, HasSubstr(". From here on: cycle {"));
  // y = 1 - w y with w = 4
  EXPECT_NEAR(last.at("a.y"), 0.2, 1e-3);
}

// FMI 1.0 has neither derivatives nor a way back: the gains are learnt on the way.
TEST_F(Auto, LearnsGainsOnTheWayWhereNothingElseCanBeHad) {
  write_product(-1, "1.0-cs");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, AllOf(HasSubstr("The run is repeated from its start with cycle {a, b}"),
                                 HasSubstr("correct = \"linear\"")));
  EXPECT_NEAR(last.at("a.y"), 0.2, 1e-3);
}

// What comes from outside leads from point to point, too.
TEST_F(Auto, FollowsTables) {
  place_.write("u.csv", "time,q.u\n0,0\n2,2\n");
  write({{"plant", "Integrator", "x = 1.0"}, {"back", "Gain", "k = -0.2"}, {"q", "Integrator", ""}},
        {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
        "[inputs]\nfile = \"u.csv\"\n[simulation]\nstop = 2.0\nmethod = \"auto\"\n"
        "[results]\nvariables = [\"q.x\"]\n");
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("q.x"), 2, 1e-9);
}

TEST_F(Auto, KeepsStepsOfOneSizeWhereAnFmuHasNoOther) {
  write({{"slow", "FixedStep", ""}, {"plant", "Integrator", "x = 1.0"}}, {},
        "[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"auto\"\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, HasSubstr("cannot vary its step"));
  EXPECT_EQ(statistics()["steps"], 10);
}

TEST_F(Auto, WantsATolerance) {
  write_feedback("Gain", -0.9, "tolerance = 0\n");
  run();
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("simulation.tolerance: abs and rel are both 0"));
}

TEST_F(Auto, IsCheckedLikeOtherMethods) {
  write_feedback("Gain", -0.9, "");
  const Answer good = place_.tutti({"check", "s.toml"});
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  write({{"a", "Gain", ""}}, {"\"a.y -> a.v\""}, "[simulation]\nmethod = \"auto\"\n");
  run();
  EXPECT_EQ(answer_.status, 2);
  EXPECT_THAT(answer_.err, HasSubstr("\"v\""));
}

}  // namespace
}  // namespace tutti::testing
