// SPDX-License-Identifier: BSD-2-Clause
// Two capacitors over a small resistor, one of which is discharged: after a short transient both
// have half the voltage, and lose it slowly. Each component follows the other at once, so the gain
// of their loop is nearly 1 in all but the shortest steps: small residuals are large errors.
#include <cmath>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

class StiffIteration : public SystemRun, public ::testing::WithParamInterface<const char*> {
 protected:
  /// a' = -a + r (b - a), b' = r (a - b), from a = 1 and b = 0
  void write_pair(double rate, const std::string& settings) {
    write({{"a", "Feedback", fmt::format("a = {}, b = {}, x = 1.0", -1 - rate, rate)},
           {"b", "Feedback", fmt::format("a = {}, b = {}, x = 0.0", -rate, rate)}},
          {"\"a.y -> b.u\"", "\"b.y -> a.u\""},
          fmt::format("[simulation]\nstop = 5.0\nstep = 0.1\nmethod = \"{}\"\n{}", GetParam(),
                      settings));
    std::string text = place_.read("s.toml");
    for (const char* component : {"a", "b"}) {
      const std::string head = fmt::format("[components.{}]\n", component);
      text.insert(text.find(head) + head.size(), "as = \"me\"\n");
    }
    place_.write("s.toml", text);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, StiffIteration,
                         ::testing::Values("anderson", "broyden", "newton"));

// a = b = exp(-t/2)/2, but for parts of 1/r. It was 0.49986, with which all iterations agreed.
TEST_P(StiffIteration, FollowsTheSlowMotionUnderStepControl) {
  for (const char* control : {"predictor", "richardson"})
    for (const int order : {0, 1, 2}) {
      // Known limit (docs/algorithms/broyden.md): the residuals are below the solvers' noise.
      if (GetParam() == std::string("broyden") && control == std::string("richardson") &&
          order == 2)
        continue;
      write_pair(1e5, fmt::format("tolerance = 1e-5\n"
                                  "inputs = {{ order = {}, inside = \"linear\" }}\n"
                                  "[simulation.control]\nname = \"{}\"\natol = 1e-3\n"
                                  "rtol = 1e-3\nat-min = \"continue\"\n",
                                  order, control));
      const auto last = run();
      ASSERT_EQ(answer_.status, 0) << answer_.err;
      // Errors of some tolerances of 1e-3, collected over 50 to 100 steps.
      EXPECT_NEAR(last.at("a.y"), std::exp(-2.5) / 2, 0.02) << control << ", order " << order;
    }
}

}  // namespace
}  // namespace tutti::testing
