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
};
INSTANTIATE_TEST_SUITE_P(Methods, StiffIteration,
                         ::testing::Values("anderson", "broyden", "newton"));

// a = b = exp(-t/2)/2, but for parts of 1/r. It was 0.49986, with which all iterations agreed.
TEST_P(StiffIteration, FollowsTheSlowMotionUnderStepControl) {
  for (const char* control : {"predictor", "richardson"})
    for (const int order : {0, 1, 2}) {
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

// Steps that grow excite the fast motion only, along a = -b. What was learnt of it in each step
// said nothing of the slow one, a = b, whose residuals are 1/r of the errors: broyden was off
// by 1.06, anderson by 0.45.
TEST_P(StiffIteration, KnowsTheSlowMotionInStepsThatGrow) {
  for (const double rate : {1e4, 3e4, 1e5})
    for (const char* control : {"predictor", "richardson"}) {
      write_pair(rate, fmt::format("tolerance = 1e-4\n"
                                   "inputs = {{ order = 2, inside = \"linear\" }}\n"
                                   "[simulation.control]\nname = \"{}\"\natol = 1e-2\n"
                                   "rtol = 1e-2\nat-min = \"continue\"\n",
                                   control));
      const auto last = run();
      ASSERT_EQ(answer_.status, 0) << answer_.err;
      // A tolerance; the errors are 0.003 at most.
      EXPECT_NEAR(last.at("a.y"), std::exp(-2.5) / 2, 0.01) << control << ", rate " << rate;
    }
}

// Iterations that are no more exact than the steps made up to 0.44 of them: in each short step the
// slow motion was within the tolerance.
TEST_P(StiffIteration, IsMoreExactThanTheSteps) {
  for (const double rate : {1e2, 1e4, 1e6})
    for (const char* control : {"predictor", "richardson"})
      for (const int order : {0, 1, 2}) {
        write_pair(rate, fmt::format("tolerance = 1e-2\n"
                                     "inputs = {{ order = {}, inside = \"linear\" }}\n"
                                     "[simulation.control]\nname = \"{}\"\natol = 1e-2\n"
                                     "rtol = 1e-2\n",
                                     order, control));
        const auto last = run();
        ASSERT_EQ(answer_.status, 0) << answer_.err;
        // The errors are 0.012 at most.
        EXPECT_NEAR(last.at("a.y"), std::exp(-2.5) / 2, 0.02)
            << control << ", order " << order << ", rate " << rate;
      }
}

// With d = 0 the residual at the start of every step is within the tolerance, the error is not: it
// was 0.007 instead of 0.044 with anderson. With d = 1/2 the first step tries the fast motion only:
// broyden was off by 0.46.
TEST_P(StiffIteration, DoesNotTakeASlowMotionForNone) {
  for (const double rate : {1e4, 1e5, 1e6})
    for (const double d : {0.0, 0.5}) {
      write_pair(rate, "tolerance = 1e-4\ninputs = { order = 1, inside = \"linear\" }\n", d);
      const auto last = run();
      ASSERT_EQ(answer_.status, 0) << answer_.err;
      // Steps of 0.1, of which the first is an implicit Euler step: 0.0436.
      EXPECT_NEAR(last.at("a.y"), std::exp(-2.5) / 2, 0.005) << "rate " << rate << ", d = " << d;
    }
}

}  // namespace
}  // namespace tutti::testing
