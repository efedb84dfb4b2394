// SPDX-License-Identifier: BSD-2-Clause
// FMI 3.0: steps that end where they start. That is allowed (4.2.1), but not without end.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

class Standstill : public SystemRun {
 protected:
  void expect_error(const Answer& answer, const std::string& name, const std::string& csv) {
    EXPECT_EQ(answer.status, 1) << answer.err;
    EXPECT_THAT(answer.err, HasSubstr(fmt::format("component \"{}\"", name)));
    EXPECT_THAT(answer.err, HasSubstr("without advancing time"));
    EXPECT_LT(csv.size(), 5'000'000u);
  }
};

TEST_F(Standstill, OfOneFmuEndsWithAnErrorThatNamesIt) {
  for (const std::string bad : {"always_early", "always_an_event", "always_an_event_soon"}) {
    SCOPED_TRACE(bad);
    const Answer answer = place_.tutti({"simulate", fmu("3.0", "faulty_" + bad), "--step", "0.1",
                                        "--event-mode", "on", "--early-return", "-o", "y.csv"});
    expect_error(answer, "faulty_" + bad, place_.read("y.csv"));
  }
}

TEST_F(Standstill, InACoupledSystemEndsWithAnErrorThatNamesTheComponent) {
  for (const std::string bad : {"always_early", "always_an_event", "always_an_event_soon"})
    for (const char* method : {"gauss-seidel", "jacobi"}) {
      SCOPED_TRACE(bad + " " + method);
      write({{"good", "Integrator", ""}, {"bad", "faulty_" + bad, ""}}, {"\"good.y -> bad.u\""},
            fmt::format("[simulation]\nstop = 1.0\nstep = 0.1\nmethod = \"{}\"\ncontrol = "
                        "\"convergence\"\n",
                        method),
            "3.0");
      run();
      expect_error(answer_, "bad", place_.read("r.csv"));
    }
}

/// u of the bell is the time: that at the end of the step with gauss-seidel, because the ramp steps
/// first, and in a cycle that iterates; that at the start with jacobi.
class EventAtTheStart : public Standstill {
 protected:
  void expect_one_ring(const std::string& settings, bool at_the_end, bool cycle = false) {
    SCOPED_TRACE(settings);
    std::vector<std::string> connections = {
        "{ from = \"ramp.y\", to = \"bell.u\", factor = 0.5, offset = -1.5 }",
        "\"stair.counter -> bell.key\""};
    if (cycle)
      connections.push_back("{ from = \"bell.y\", to = \"ramp.u\", factor = 0.0, offset = 1.0 }");
    write({{"ramp", "Integrator", "u = 1.0"}, {"bell", "Doorbell", ""}, {"stair", "Stair", ""}},
          connections,
          "[simulation]\nstop = 0.9\nstep = 0.1\n" + settings +
              "[results]\nvariables = [\"bell.*\", \"ramp.x\"]\n",
          "3.0");
    const auto last = run();
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_EQ(last.at("bell.rings"), 1);
    EXPECT_NEAR(last.at("ramp.x"), 0.9, 1e-12);
    if (settings.find("control") == std::string::npos) {
      EXPECT_NEAR(last.at("bell.y"), at_the_end ? 0.45 : 0.36, 1e-12);
    }
  }
};

TEST_F(EventAtTheStart, OfAStepIsHandledThereAndTheStepIsMade) {
  expect_one_ring("method = \"gauss-seidel\"\n", true);
  expect_one_ring("method = \"jacobi\"\n", false);
  expect_one_ring("method = \"iterated\"\n", true, true);
  expect_one_ring("method = \"newton\"\n", true, true);
}

TEST_F(EventAtTheStart, OfAStepIsHandledUnderStepControl) {
  expect_one_ring("method = \"gauss-seidel\"\ncontrol = \"convergence\"\n", true);
  expect_one_ring("method = \"gauss-seidel\"\ncontrol = \"richardson\"\n", true);
}

}  // namespace
}  // namespace tutti::testing
