// SPDX-License-Identifier: BSD-2-Clause
// Step control by Richardson extrapolation as in PyFMI and in textbooks, and by prediction, as a
// user sees them.
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class OrderControl : public SystemRun {
 protected:
  /// p' = v, v' = -p: p = cos t.
  std::map<std::string, double> oscillate(const std::string& simulation,
                                          const std::string& version = "2.0") {
    write({{"p", "Integrator", "x = 1.0"}, {"v", "Integrator", ""}},
          {"{ from = \"p.x\", to = \"v.u\", factor = -1 }", "\"v.x -> p.u\""},
          "[simulation]\nstop = 2.0\n" + simulation + "[results]\nvariables = [\"p.x\"]\n",
          version);
    return run();
  }
  /// The quarter car up to 1 s with a first step of 1e-3 s and tolerances of 1e-4: steps and
  /// failures.
  std::pair<int, int> drive(const std::string& variant, const std::string& inputs) {
    const auto car = std::filesystem::path(fmu("2.0", "Gain")).parent_path() /
                     "../../examples/quarter_car/system.toml";
    answer_ =
        place_.tutti({"run", car.string(), "-o", "r.csv", "--set", "simulation.method=jacobi",
                      "--set", "simulation.stop=1", "--set",
                      "simulation.control={ name = \"richardson\", variant = \"" + variant + "\" }",
                      "--set", "simulation.inputs={ " + inputs + " }"});
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    const nlohmann::json told = statistics();
    return {told["steps"], told["failures"]["errorTest"]};
  }
};

// C. Andersson, Methods and Tools for Co-Simulation, Lund 2016, table 9.4: 300 and 4 of order 0.
// The others, and those of the textbook's rule, are those of an independent program with parts that
// are integrated exactly.
TEST_F(OrderControl, PyfmiTakesItsStepsOnTheQuarterCar) {
  using Counts = std::pair<int, int>;
  EXPECT_EQ(drive("pyfmi", "order = 0"), Counts(300, 4));
  EXPECT_EQ(drive("pyfmi", "order = 1, derivatives = \"fmu\""), Counts(90, 1));
  EXPECT_EQ(drive("pyfmi", "order = 1, derivatives = \"differences\""), Counts(102, 1));
  EXPECT_EQ(drive("pyfmi", "order = 2, derivatives = \"fmu\""), Counts(50, 2));
  EXPECT_EQ(drive("pyfmi", "order = 2, derivatives = \"backward\""), Counts(74, 5));
  EXPECT_EQ(drive("textbook", "order = 0"), Counts(363, 14));
  EXPECT_EQ(drive("textbook", "order = 1, derivatives = \"fmu\""), Counts(73, 9));
  EXPECT_EQ(drive("textbook", "order = 2, derivatives = \"fmu\""), Counts(37, 4));
}

TEST_F(OrderControl, HigherOrdersOfInputsTakeFewerSteps) {
  int before = 1000000;
  for (const int order : {0, 1, 2}) {
    const int steps = drive("tutti", fmt::format("order = {}", order)).first;
    EXPECT_LT(steps, before * 0.7);
    before = steps;
  }
}

// The inputs are within the tolerance all the time, so the error after 2 s is below 2 s times that,
// times exp(2): sensitivities grow no faster with a gain of 1.
TEST_F(OrderControl, ThePredictorGoesWithEveryMethodAndOrder) {
  for (const char* method : {"jacobi", "gauss-seidel", "iterated", "newton", "broyden", "anderson"})
    for (const char* inputs :
         {"order = 0", "order = 1", "order = 2", "inside = \"linear\"", "order = 1, smooth = true",
          "order = 2, derivatives = \"differences\""})
      for (const char* version : {"2.0", "3.0"}) {
        const double tolerance = 1e-4;
        const auto last = oscillate(
            fmt::format("method = \"{}\"\ninputs = {{ {} }}\nstep = 1e-3\ntolerance = 1e-7\n"
                        "control = {{ name = \"predictor\", atol = {}, rtol = 0 }}\n",
                        method, inputs, tolerance),
            version);
        ASSERT_EQ(answer_.status, 0) << answer_.err << method << inputs;
        EXPECT_EQ(last.at("time"), 2);
        EXPECT_NEAR(last.at("p.x"), std::cos(2), 2 * std::exp(2) * tolerance) << method << inputs;
      }
}

TEST_F(OrderControl, ThePredictorTakesOnePassAStep) {
  oscillate("method = \"jacobi\"\ninputs.order = 1\ncontrol = \"predictor\"\n");
  const nlohmann::json told = statistics();
  const int passes =
      static_cast<int>(told["steps"]) + static_cast<int>(told["failures"]["errorTest"]);
  for (const char* part : {"p", "v"}) {
    EXPECT_EQ(told["components"][part]["doStep"], passes);
    EXPECT_EQ(told["components"][part]["getState"], told["steps"]);
    EXPECT_EQ(told["components"][part]["setState"], told["failures"]["errorTest"]);
  }
}

// FMI 1.0 has no states that could be restored.
TEST_F(OrderControl, ThePredictorDoesWithoutRollback) {
  const auto last = oscillate(
      "method = \"jacobi\"\nstep = 0.2\ncontrol = { name = \"predictor\", atol = 1e-3 }\n",
      "1.0-cs");
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_NEAR(last.at("p.x"), std::cos(2), 0.05);  // a first step of 0.2 stays as it is
  EXPECT_THAT(answer_.err,
              HasSubstr("cannot save and restore its state (FMI 1.0 can only repeat the "
                        "last step, with canRejectSteps)"));
  EXPECT_THAT(answer_.err, HasSubstr("steps exceeded the error tolerance"));
  const nlohmann::json told = statistics();
  EXPECT_GT(told["failures"]["acceptedWithoutRollback"], 0);
  EXPECT_EQ(told["failures"]["acceptedWithoutRollback"], told["failures"]["errorTest"]);
  EXPECT_EQ(told["components"]["p"]["doStep"], told["steps"]);
}

TEST_F(OrderControl, ThePredictorStopsAtTheSmallestStepOrGoesOn) {
  const std::string control = "control = { name = \"predictor\", atol = 1e-6, min = 1e-3";
  oscillate(control + " }\n");
  EXPECT_EQ(answer_.status, 1);
  EXPECT_THAT(answer_.err, HasSubstr("the minimum, is"));
  oscillate(control + ", at-min = \"continue\" }\n");
  EXPECT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_GT(statistics()["failures"]["acceptedAtMin"], 0);
}

}  // namespace
}  // namespace tutti::testing
