// SPDX-License-Identifier: BSD-2-Clause
#include "master/tlm/line_network.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tutti::master::tlm {
namespace {

using system::LinePlan;

/// Components that are islands of their own, and what joins them.
struct JoinedIslands {
  explicit JoinedIslands(std::size_t count) {
    system.components.resize(count);
    for (std::uint32_t c = 0; c < count; ++c) plan.islands.push_back({c});
  }
  void add_line(std::uint32_t a, std::uint32_t b, double delay, PortInput input,
                PortInput other_input) {
    system::PlannedLine& line = plan.lines.emplace_back();
    line.delay = delay;
    for (const std::size_t end : {0u, 1u}) {
      line.ports[end] = static_cast<std::uint32_t>(plan.ports.size());
      system::PlannedPort& port = plan.ports.emplace_back();
      port.component = end == 0 ? a : b;
      port.input = end == 0 ? input : other_input;
    }
  }
  void add_delay(std::uint32_t from, std::uint32_t to, double delay) {
    system::PlannedDelay& planned = plan.delays.emplace_back();
    planned.from.component = from;
    planned.to.component = to;
    planned.delay = delay;
  }
  std::vector<double> steps(double meeting) const { return island_steps(system, plan, meeting); }

  System system;
  LinePlan plan;
};

using Steps = std::vector<double>;

TEST(IslandSteps, AreAShareOfTheDelay) {
  JoinedIslands joined(2);
  joined.add_line(0, 1, 0.1, PortInput::coarse, PortInput::constant);
  EXPECT_EQ(joined.steps(1), (Steps{0.05, 0.0125}));
  joined.system.simulation.tlm = TlmRules::omtlm;
  EXPECT_EQ(joined.steps(1), (Steps{0.05, 0.05}));
}

TEST(IslandSteps, AreWholeFractionsOfTheDistanceOfMeetings) {
  JoinedIslands joined(2);
  joined.add_line(0, 1, 0.06, PortInput::coarse, PortInput::table);
  EXPECT_EQ(joined.steps(0.1), (Steps{0.025, 0.025}));  // of 0.03
  EXPECT_EQ(joined.steps(0.01), (Steps{0.01, 0.01}));   // never longer
  EXPECT_EQ(joined.steps(0.09), (Steps{0.03, 0.03}));   // but for rounding
}

TEST(IslandSteps, FollowTheSmallestDelayOfWhatArrives) {
  JoinedIslands joined(3);
  joined.add_line(0, 1, 0.1, PortInput::coarse, PortInput::coarse);
  joined.add_delay(1, 2, 0.04);
  joined.add_delay(2, 0, 0.02);
  EXPECT_EQ(joined.steps(1), (Steps{0.01, 0.05, 0.02}));
}

TEST(IslandSteps, OfSourcesOnlyHaveNoLimit) {
  JoinedIslands joined(2);
  joined.add_delay(0, 1, 0.01);
  EXPECT_EQ(joined.steps(0.25), (Steps{0.25, 0.005}));
}

TEST(IslandSteps, AreThoseThatAreGiven) {
  JoinedIslands joined(2);
  joined.add_line(0, 1, 0.1, PortInput::coarse, PortInput::constant);
  joined.system.components[0].step = 0.1;
  joined.system.components[1].step = 0.001;
  joined.system.simulation.tlm = TlmRules::omtlm;
  EXPECT_EQ(joined.steps(1), (Steps{0.1, 0.001}));
  // Of components in one island the shortest.
  joined.plan.islands = {{0, 2}, {1}};
  joined.system.components.resize(3);
  joined.system.components[2].step = 0.02;
  EXPECT_EQ(joined.steps(1), (Steps{0.02, 0.001}));
}

// D' = (sqrt(h^2 + 4 D^2) - h)/2 with h = H/2, because one of both ends has constant efforts.
TEST(IslandSteps, FitIntoALineThatIsShorterForConstantEfforts) {
  JoinedIslands joined(2);
  joined.add_line(0, 1, 0.1, PortInput::coarse, PortInput::constant);
  for (Component& component : joined.system.components) component.step = 0.1;
  const double hold = 0.05, shorter = (std::sqrt(hold * hold + 0.04) - hold) / 2;
  ASSERT_LT(shorter, 0.1);
  const Steps steps = joined.steps(1);
  EXPECT_DOUBLE_EQ(steps[0], 1 / std::ceil(1 / shorter));
  EXPECT_EQ(steps[1], 0.1);
  // Neither the tool's rules nor step control correct it.
  joined.system.simulation.control.name = "richardson";
  EXPECT_EQ(joined.steps(1), (Steps{0.1, 0.1}));
  joined.system.simulation.control.name = "fixed";
  joined.system.simulation.tlm = TlmRules::omtlm;
  EXPECT_EQ(joined.steps(1), (Steps{0.1, 0.1}));
}

}  // namespace
}  // namespace tutti::master::tlm
