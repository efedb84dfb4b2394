// SPDX-License-Identifier: BSD-2-Clause
// The estimated global error of outputs in statistics, JSON and metadata.
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class EstimatedErrorsOfRuns : public SystemRun {
 protected:
  /// x' = u, y = 2 x + 3 u, u = k y: x' = 2 k x/(1 - 3 k) and y = 2 x/(1 - 3 k).
  void write_feedback(const std::string& back, const std::string& settings) {
    write({{"plant", "Integrator", "x = 1.0"}, {"back", back, "k = -0.9"}},
          {"\"plant.y -> back.u\"", "\"back.y -> plant.u\""},
          "[simulation]\nstop = 2.0\n" + settings + "[results]\nvariables = [\"*.y\"]\n");
  }
  /// Each x' = a x + u, y = c x.
  struct State {
    double a, c, x;
  };
  static std::string set_of(const State& state) {
    return fmt::format("a = {:.17g}, b = 1.0, c = {:.17g}, d = 0.0, x = {:.17g}", state.a, state.c,
                       state.x);
  }
  /// x' = -y, y' = x: errors of steps are in resonance with it.
  void write_oscillator(double stop) {
    write({{"a", "Feedback", set_of({0, 1, 1})}, {"b", "Feedback", set_of({0, -1, 0})}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
          fmt::format("[simulation]\nstop = {}\nmethod = \"auto\"\ntolerance = 1e-3\n"
                      "[results]\nvariables = [\"*.x\"]\n",
                      stop));
  }
  static double exact(double t) { return 2 / 3.7 * std::exp(-1.8 / 3.7 * t); }
  /// The largest error of plant.y in the results.
  double true_error() const {
    const auto rows = csv_rows(place_.read("r.csv"));
    const auto column = std::find(rows[0].begin(), rows[0].end(), "plant.y") - rows[0].begin();
    double largest = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
      largest = std::max(largest, std::abs(std::stod(rows[i][static_cast<std::size_t>(column)]) -
                                           exact(std::stod(rows[i][0]))));
    return largest;
  }
};

TEST_F(EstimatedErrorsOfRuns, AreInTheStatisticsAndNearTheTrueOnes) {
  for (const double tolerance : {1e-3, 1e-5}) {
    write_feedback("Gain", fmt::format("method = \"auto\"\ntolerance = {}\n", tolerance));
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_THAT(answer_.out, HasSubstr("estimated error"));
    const auto estimates = statistics()["estimatedErrors"];
    ASSERT_EQ(estimates.size(), 2u);
    EXPECT_EQ(estimates[0]["name"], "plant.y");
    const double estimate = estimates[0]["error"];
    // 3: the first steps have no past from which their error could be told well.
    EXPECT_LT(estimate, 3 * true_error());
    EXPECT_GT(estimate, true_error() / 3);
  }
}

// y = 1 + t u, u = y/10: where it starts y does not depend on u, and later it does.
TEST_F(EstimatedErrorsOfRuns, AreNullWhereAModelDoesNotFollowTheRun) {
  write({{"ramp", "TunableGain", "gain = 1.0"}, {"a", "Product", ""}, {"b", "Gain", "k = 0.1"}},
        {"\"ramp.y -> a.w\"", "\"b.y -> a.u\"", "\"a.y -> b.u\""},
        "[simulation]\nstop = 4.0\nmethod = \"auto\"\ntolerance = 1e-4\n");
  run({"--statistics"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.out, HasSubstr("not estimated"));
  const auto estimates = statistics()["estimatedErrors"];
  for (const auto& output : estimates) {
    if (output["name"] == "ramp.y") continue;  // a source, which is exact
    EXPECT_TRUE(output["error"].is_null()) << output;
  }
}

// A cycle at rest has no tolerance at all, which makes its errors neither important nor a fault.
TEST_F(EstimatedErrorsOfRuns, NeedNoAbsoluteTolerance) {
  write({{"a", "Feedback", set_of({-1, 1, 0})},
         {"b", "Feedback", set_of({-0.5, -2, 0})},
         {"c", "Feedback", set_of({-1, 1, 1})},
         {"d", "Feedback", set_of({-0.5, -2, 0.5})}},
        {"\"a.y -> b.u\"", "\"b.y -> a.u\"", "\"c.y -> d.u\"", "\"d.y -> c.u\""},
        "[simulation]\nstop = 5.0\nmethod = \"auto\"\ntolerance.abs = 0.0\ntolerance.rel = 1e-4\n");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  const auto estimates = statistics()["estimatedErrors"];
  for (const auto& output : estimates)
    if (output["name"] == "a.y") {
      EXPECT_EQ(output["error"], 0);
    }
}

// A constant error moves an oscillator by no more than 2, but those of steps are in resonance with
// it: weights below 1 let them grow to 27 tolerances in 1000 s, and 5.2 are there without weights.
TEST_F(EstimatedErrorsOfRuns, AreNoReasonForLongerSteps) {
  write_oscillator(1000);
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, Not(HasSubstr("warning")));
  const auto rows = csv_rows(place_.read("r.csv"));
  double largest = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    largest = std::max(largest, std::abs(std::stod(rows[i][1]) - std::cos(std::stod(rows[i][0]))));
  EXPECT_LT(largest, 6 * (1e-3 + 1e-3));  // abs + rel * 1
}

// They grow in proportion to the time: in 5000 s to 26 tolerances.
TEST_F(EstimatedErrorsOfRuns, AreReportedWhereTheyAreLarge) {
  write_oscillator(5000);
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err,
              HasSubstr("warning: the errors of steps accumulate: the estimated error"));
  EXPECT_THAT(answer_.err, HasSubstr("times its tolerance"));
  EXPECT_THAT(answer_.err, HasSubstr("Try smaller tolerances (simulation.tolerance)"));
}

// g.y is 1000 times the integral of what it receives.
TEST_F(EstimatedErrorsOfRuns, ShortenStepsWhereTheyAreAmplified) {
  const auto calls = [&](double c) {
    write({{"a", "Feedback", set_of({-2, 1, 1})},
           {"b", "Feedback", set_of({-2, -1, 0.5})},
           {"g", "Feedback", set_of({-0.01, c, 0})}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\"", "\"a.y -> g.u\""},
          "[simulation]\nstop = 20.0\nmethod = \"auto\"\ntolerance.abs = 1e-4\ntolerance.rel = "
          "0.0\n");
    run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    return statistics()["calls"]["doStep"].get<int>();
  };
  EXPECT_GT(calls(1000), 1.1 * calls(1));
}

// What costs more than a few milliseconds before time starts is left out.
TEST_F(EstimatedErrorsOfRuns, AreLeftOutInLargeSystems) {
  const auto estimated = [&](int count) {
    std::vector<std::string> connections;
    for (int i = 1; i <= count; ++i) {
      connections.push_back(fmt::format("\"s.y -> a.u{}\"", i));
      connections.push_back(fmt::format("\"a.y{} -> b.u{}\"", i, i));
    }
    write({{"s", "Feedback", set_of({-1, 1, 1})}, {"a", "Many", ""}, {"b", "Many", ""}},
          connections,
          "[simulation]\nstop = 1.0\nmethod = \"auto\"\ntolerance = 1e-4\n"
          "[results]\nvariables = [\"b.y1\"]\n");
    run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    return statistics().contains("estimatedErrors");
  };
  EXPECT_TRUE(estimated(50));
  EXPECT_LT(statistics()["seconds"]["initialize"].get<double>(), 1);  // it was 21 s
  EXPECT_FALSE(estimated(51));
}

TEST_F(EstimatedErrorsOfRuns, AreOnlyMadeWhereErrorsChooseTheSteps) {
  write_feedback("Gain", "method = \"newton\"\nstep = 0.1\n");
  run({"--statistics"});
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.out, Not(HasSubstr("estimated")));
  EXPECT_FALSE(statistics().contains("estimatedErrors"));
}

}  // namespace
}  // namespace tutti::testing
