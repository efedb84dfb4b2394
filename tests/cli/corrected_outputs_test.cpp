// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>

#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

/// A loop y = 2 x + 3 u, u = -0.9 y, in which y falls by 16 % in a step, and outputs that feed
/// nothing.
class CorrectedOutputs : public SystemRun {
 protected:
  void write_with_sensor(const std::string& sensor, const std::string& version) {
    write({{"plant", "Integrator", "x = 1.0"},
           {"back", "Gain", "k = -0.9"},
           {"sensor", sensor, "k = 1.0, b = 0.0"}},
          {"\"plant.y -> back.u\"", "\"back.y -> plant.u\"", "\"plant.y -> sensor.u\""},
          "[simulation]\nstop = 3.3\nstep = 0.33\nmethod = \"jacobi\"\ninputs.correct = "
          "\"linear\"\n[results]\nvariables = [\"plant.y\", \"sensor.y\"]\n",
          version);
  }
  /// The largest |a/b - 1| of two columns.
  double largest_deviation(const std::string& a, const std::string& b) const {
    const auto rows = csv_rows(place_.read("r.csv"));
    const auto column = [&](const std::string& name) {
      return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) -
                                      rows[0].begin());
    };
    double largest = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
      largest = std::max(
          largest, std::abs(std::stod(rows[i][column(a)]) / std::stod(rows[i][column(b)]) - 1));
    return largest;
  }
};

// Not corrected, the sensor shows what was a step ago: 19 % more.
TEST_F(CorrectedOutputs, BelongToTheirInputsThoughTheyFeedNothing) {
  // Derivatives of the kit are central differences, exact to 1e-11; those of probing to 1e-8.
  for (const auto& [sensor, version, tolerance] :
       {std::tuple("Gain", "2.0", 1e-10), {"Gain", "3.0", 1e-10}, {"StepGain", "2.0", 1e-7}}) {
    write_with_sensor(sensor, version);
    run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_LT(largest_deviation("sensor.y", "plant.y"), tolerance) << sensor << version;
  }
}

// What is learnt is said, also of a component whose outputs feed nothing.
TEST_F(CorrectedOutputs, AreLearntWhereNothingElseIsPossible) {
  write_with_sensor("BareGain", "2.0");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err,
              HasSubstr("sensor: the FMU provides no directional derivatives and cannot"));
}

// Two elements of one output: the first is in the loop, the second is recorded only.
TEST_F(CorrectedOutputs, MayBeElementsOfAnArrayOfWhichOthersAreCoupled) {
  write({{"plant", "StateSpace",
          "m = 1, n = 1, r = 2, A = 0.0, B = 1.0, C = [2.0, 2.0], D = [3.0, 3.0], x0 = 1.0"},
         {"back", "Gain", "k = -0.9"}},
        {"\"plant.y[1] -> back.u\"", "\"back.y -> plant.u[1]\""},
        "[simulation]\nstop = 3.3\nstep = 0.33\nmethod = \"jacobi\"\ninputs.correct = "
        "\"linear\"\n[results]\nvariables = [\"plant.y*\"]\n",
        "3.0");
  run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_LT(largest_deviation("plant.y[2]", "plant.y[1]"), 1e-7);
}

// The equations of the loop are those of a run in which nothing else is recorded, to the last bit.
TEST_F(CorrectedOutputs, ChangeNothingInTheLoop) {
  for (const char* sensor : {"Gain", "StepGain", "BareGain"}) {
    write_with_sensor(sensor, "2.0");
    const auto with = run();
    const auto without = run({"--set", "results.variables=[\"plant.y\"]"});
    EXPECT_EQ(with.at("plant.y"), without.at("plant.y")) << sensor;
  }
}

}  // namespace
}  // namespace tutti::testing
