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
  /// a' = -a + r (b - a), b' = r (a - b), from a = 1/2 + d and b = 1/2 - d
  void write_pair(double rate, const std::string& settings, double d = 0.5) {
    write({{"a", "Feedback", fmt::format("a = {}, b = {}, x = {}", -1 - rate, rate, 0.5 + d)},
           {"b", "Feedback", fmt::format("a = {}, b = {}, x = {}", -rate, rate, 0.5 - d)}},
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
  /// The same with step control.
  void write_controlled(double rate, const char* control, int order, double tolerance,
                        double of_steps, const char* at_min) {
    write_pair(rate,
               fmt::format("tolerance = {:e}\ninputs = {{ order = {}, inside = \"linear\" }}\n"
                           "[simulation.control]\nname = \"{}\"\natol = {:e}\nrtol = {:e}\n"
                           "at-min = \"{}\"\n",
                           tolerance, order, control, of_steps, of_steps, at_min));
  }
  /// a = b = exp(-t/2)/2, but for parts of 1/r.
  void expect_slow_motion(double within, const std::string& where) {
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_NEAR(last.at("a.y"), std::exp(-2.5) / 2, within) << where;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, StiffIteration,
                         ::testing::Values("anderson", "broyden", "newton"));

// It was 0.49986, with which all iterations agreed.
TEST_P(StiffIteration, FollowsTheSlowMotionUnderStepControl) {
  for (const char* control : {"predictor", "richardson"})
    for (const int order : {0, 1, 2}) {
      write_controlled(1e5, control, order, 1e-5, 1e-3, "continue");
      // Errors of some tolerances of 1e-3, collected over 50 to 100 steps.
      expect_slow_motion(0.02, fmt::format("{}, order {}", control, order));
    }
}

// Steps that grow excite the fast motion only, along a = -b. What was learnt of it in each step
// said nothing of the slow one, a = b, whose residuals are 1/r of the errors: broyden was off
// by 1.06, anderson by 0.45.
TEST_P(StiffIteration, KnowsTheSlowMotionInStepsThatGrow) {
  for (const double rate : {1e4, 3e4, 1e5})
    for (const char* control : {"predictor", "richardson"}) {
      write_controlled(rate, control, 2, 1e-4, 1e-2, "continue");
      // A tolerance; the errors are 0.003 at most.
      expect_slow_motion(0.01, fmt::format("{}, rate {}", control, rate));
    }
}

// Iterations that are no more exact than the steps made up to 0.44 of them: in each short step the
// slow motion was within the tolerance.
TEST_P(StiffIteration, IsMoreExactThanTheSteps) {
  for (const double rate : {1e2, 1e4, 1e6})
    for (const char* control : {"predictor", "richardson"})
      for (const int order : {0, 1, 2}) {
        write_controlled(rate, control, order, 1e-2, 1e-2, "stop");
        // The errors are 0.012 at most.
        expect_slow_motion(0.02, fmt::format("{}, order {}, rate {}", control, order, rate));
      }
}

// With d = 0 the residual at the start of every step is within the tolerance, the error is not: it
// was 0.007 instead of 0.044 with anderson. With d = 1/2 the first step tries the fast motion only:
// broyden was off by 0.46.
TEST_P(StiffIteration, DoesNotTakeASlowMotionForNone) {
  for (const double rate : {1e4, 1e5, 1e6})
    for (const double d : {0.0, 0.5}) {
      write_pair(rate, "tolerance = 1e-4\ninputs = { order = 1, inside = \"linear\" }\n", d);
      // Steps of 0.1, of which the first is an implicit Euler step: 0.0436.
      expect_slow_motion(0.005, fmt::format("rate {}, d = {}", rate, d));
    }
}

}  // namespace
}  // namespace tutti::testing
