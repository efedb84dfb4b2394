// SPDX-License-Identifier: BSD-2-Clause
// Components in event mode at communication points, where inputs jump or are made to agree.
#include <gmock/gmock.h>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The speed of a ball, which turns round between two points, is what rings.
class PlannedEvents : public SystemRun {
 protected:
  void write_ball(const std::string& set, const std::string& correct) {
    place_.write("s.toml",
                 fmt::format("[components.ball]\nfmu = \"{}\"\n[components.alarm]\nfmu = \"{}\"\n"
                             "set = {{ {} }}\n[connections]\nlist = [\"ball.v -> alarm.u\"]\n"
                             "[simulation]\nstop = 1.0\nstep = 0.05\nmethod = \"jacobi\"\ninputs = "
                             "{{ order = 1, derivatives = \"differences\", correct = \"{}\" }}\n"
                             "[results]\nvariables = [\"alarm.rang\"]\n",
                             fmu("2.0", "BouncingBall"), fmu("3.0", "Alarm"), set, correct));
  }
};

// The ball has turned round at 0.5 s; 0.113 s later is no communication point.
TEST_F(PlannedEvents, AreMetThoughNoStepWouldEndThere) {
  struct Case {
    const char *correct, *control;
  };
  // Event mode is used where somebody needs it: fixed steps that are only extrapolated do not.
  for (const auto& [correct, control] :
       {Case{"consistent", "fixed"}, Case{"consistent", "convergence"},
        Case{"none", "convergence"}}) {
    write_ball("delay = 0.113", correct);
    const auto last = run({"--set", std::string("simulation.control.name=") + control, "--set",
                           "simulation.control.max=0.05"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    EXPECT_NEAR(last.at("alarm.rang"), 0.613, 1e-9) << correct << " " << control;
  }
}

TEST_F(PlannedEvents, MayBeToEndTheRun) {
  for (const char* correct : {"none", "consistent"}) {
    write_ball("ends = true", correct);
    const auto last = run(
        {"--set", "simulation.control.name=convergence", "--set", "simulation.control.max=0.05"});
    EXPECT_THAT(answer_.out, HasSubstr(" asked to end the run: t = ")) << correct;
    EXPECT_NEAR(last.at("time"), 0.5, 1e-9) << correct;
  }
}

// Nothing is tried out with an FMU that is due to enter event mode (FMI 3.0, 4.2.1).
TEST_F(PlannedEvents, ComeBeforeProbing) {
  place_.write("s.toml",
               fmt::format("[components.alarm]\nfmu = \"{}\"\nset = {{ own = 0.33 }}\n"
                           "[components.back]\nfmu = \"{}\"\nset = {{ k = -0.5, b = 1.0 }}\n"
                           "[connections]\nlist = [\"alarm.y -> back.u\", \"back.y -> alarm.u\"]\n"
                           "[simulation]\nstop = 0.6\nstep = 0.1\nmethod = \"jacobi\"\ninputs = {{ "
                           "order = 1, correct = \"linear\" }}\ncontrol = {{ name = "
                           "\"convergence\", max = 0.1 }}\n[results]\nvariables = [\"alarm.y\"]\n",
                           fmu("3.0", "Alarm"), fmu("2.0", "Gain")));
  const auto last = run();
  ASSERT_EQ(answer_.status, 0) << answer_.err;
  EXPECT_THAT(answer_.err, Not(HasSubstr("internal error")));
  // y = 0.5 (1 - 0.5 y) + 1; D comes from differences.
  EXPECT_NEAR(last.at("alarm.y"), 1.2, 1e-6);
}

}  // namespace
}  // namespace tutti::testing
