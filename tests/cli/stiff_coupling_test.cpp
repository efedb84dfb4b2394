// SPDX-License-Identifier: BSD-2-Clause
// Stiff couplings, by method = "linear-implicit" and by auto.
#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

class StiffCoupling : public SystemRun {
 protected:
  /// x' = rate (u - x), u = -z; z' = x; z = 1 and x = 0 at the start.
  void write_pair(double rate, const std::string& settings, const std::string& fmu = "Exact") {
    write({{"fast", fmu, fmt::format("a = {:.17g}, b = {:.17g}, x = 0.0", -rate, rate)},
           {"slow", fmu, "a = 0.0, b = 1.0, x = 1.0"}},
          {"{ from = \"slow.y\", to = \"fast.u\", factor = -1.0 }", "\"fast.y -> slow.u\""},
          "[simulation]\nstop = 2.0\n" + settings, fmu == "FeedbackBare" ? "3.0" : "2.0");
  }
  /// Two capacitors over a resistance r, one of them with a load.
  void write_capacitors(double r, const std::string& settings, const std::string& fmu = "Exact") {
    write({{"left", fmu, "a = 0.0, b = -1.0, x = 1.0"},
           {"right", fmu,
            fmt::format("a = {:.17g}, b = {:.17g}, c = {:.17g}, d = {:.17g}, x = 0.0", -1 / r - 0.5,
                        1 / r, -1 / r, 1 / r)}},
          {"\"left.y -> right.u\"", "\"right.y -> left.u\""},
          "[simulation]\nstop = 2.0\n" + settings);
  }
  static double exact_pair(double rate, double t) {
    const double root = std::sqrt(rate * rate / 4 - rate);
    const double slow = -rate / (rate / 2 + root), fast = -rate / 2 - root;
    return (-fast * std::exp(slow * t) + slow * std::exp(fast * t)) / (slow - fast);
  }
};

constexpr auto one_pass = "method = \"linear-implicit\"\ninputs = { inside = \"linear\" }\n";

// Linear components of one state are stepped exactly: what is left is rounding, times the rate.
TEST_F(StiffCoupling, NeedsNoShortStepsOfTheLinearlyImplicitMethod) {
  for (const double rate : {1e2, 1e4, 1e6}) {
    write_pair(rate, std::string("step = 0.1\n") + one_pass);
    EXPECT_NEAR(run()["slow.y"], exact_pair(rate, 2), 1e-9) << rate << answer_.err;
    EXPECT_EQ(answer_.status, 0);
    EXPECT_EQ(statistics()["calls"]["doStep"], 40);
  }
}

TEST_F(StiffCoupling, IsSteppedByModelExchangeAsWell) {
  write_pair(1e4, std::string("step = 0.1\n") + one_pass);
  const auto last = run({"--set", "components.fast.as=me", "--set", "components.slow.as=me"});
  EXPECT_NEAR(last.at("slow.y"), exact_pair(1e4, 2), 2e-5) << answer_.err;
}

TEST_F(StiffCoupling, NeedsOnlyValuesOfComponentsWithOneState) {
  write_pair(1e4, "step = 0.1\nmethod = \"linear-implicit\"\n");  // inputs are constant in a step
  EXPECT_NEAR(run()["slow.y"], exact_pair(1e4, 2), 1e-9) << answer_.err;
}

// Neither input derivatives nor a way back are needed.
TEST_F(StiffCoupling, IsSteppedWithoutRollback) {
  write_pair(1e4, std::string("step = 0.1\n") + one_pass, "ExactValues");
  EXPECT_NEAR(run()["slow.y"], exact_pair(1e4, 2), 1e-9) << answer_.err;
  write_capacitors(1e-4, std::string("step = 0.1\n") + one_pass, "ExactValues");
  EXPECT_NEAR(run()["left.y"], 0.5 * std::exp(-0.5), 2e-4) << answer_.err;
}

// The current follows the voltage at once: it is that of the voltages at the end of the step.
TEST_F(StiffCoupling, OfCapacitorsOverASmallResistanceGivesTheRightCurrent) {
  write_capacitors(1e-4, std::string("step = 0.1\n") + one_pass);
  const auto last = run();
  // After the first moments both have half the charge, which the load takes away with exp(-t/4);
  // of the current, half the load's 0.5 v. 1e-4 s of 1 s: the resistance.
  EXPECT_NEAR(last.at("left.y"), 0.5 * std::exp(-0.5), 2e-4) << answer_.err;
  EXPECT_NEAR(last.at("right.y"), 0.125 * std::exp(-0.5), 2e-3);
}

TEST_F(StiffCoupling, IsRefusedWhereNoLinearModelIsKnown) {
  write_pair(1e4, std::string("step = 0.1\n") + one_pass, "FeedbackBare");
  run();
  if (answer_.status == 0) GTEST_SKIP() << "its states are identified";
  EXPECT_EQ(answer_.status, 2);
  EXPECT_NE(answer_.err.find("needs a linear model"), std::string::npos) << answer_.err;
}

// Other methods of one pass need steps of the time that the resistance makes, 1e-4 s and less:
// 20,000 and more of each component.
TEST_F(StiffCoupling, IsSteppedInOnePassByAuto) {
  write_capacitors(1e-4, "method = \"auto\"\ntolerance = 1e-4\n");
  EXPECT_NEAR(run()["left.y"], 0.303274807, 1e-3) << answer_.err;
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NE(answer_.out.find("auto chose method = \"linear-implicit\""), std::string::npos)
      << answer_.out;
  EXPECT_LT(statistics()["calls"]["doStep"].get<int>(), 6000);
}

}  // namespace
}  // namespace tutti::testing
