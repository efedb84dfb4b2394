// SPDX-License-Identifier: BSD-2-Clause
// <tutti/new_system.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tutti/new_system.hpp>
#include <tutti/system_check.hpp>

#include "api/systems.hpp"
#include "support/command.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

TEST(NewSystems, TakeTimesFromTheDefaultExperiments) {
  // Tank: 0 to 1.9 s in steps of 0.1 s; PrintedPlant: to 2 s in steps of 1 ms.
  const System system =
      new_system(std::vector{fmu_of("2.0", "Tank"), fmu_of("2.0", "PrintedPlant")});
  EXPECT_EQ(system.components.at(1).name, "PrintedPlant");
  EXPECT_EQ(system.simulation.start, 0);
  EXPECT_EQ(system.simulation.stop, 2);
  EXPECT_EQ(system.simulation.step, 1e-3);
}

TEST(NewSystems, CanBeConnectedAsProposed) {
  System system =
      new_system(std::vector{fmu_of("2.0", "PrintedPlant"), fmu_of("2.0", "PrintedController")});
  for (const ProposedConnection& proposed : propose_connections(system)) {
    EXPECT_TRUE(proposed.is_sure);
    system.connections.push_back({.from = proposed.from, .to = proposed.to});
  }
  EXPECT_TRUE(check_system(system).errors.empty());
  ASSERT_EQ(system.connections.size(), 2u);
  EXPECT_TRUE(propose_connections(system).empty()) << "what is connected has no more proposals";
}

TEST(NewSystems, HaveNoComponentNamedAsASection) {
  const Workplace place;
  for (const char* section : {"actions", "simulation"}) {
    const std::filesystem::path fmu = place.path() / (std::string(section) + ".fmu");
    std::filesystem::copy(fmu_of("2.0", "Gain"), fmu);
    EXPECT_EQ(new_system(std::vector{fmu}).components.at(0).name, std::string(section) + "_1");
  }
}

TEST(NewSystems, MayHaveComponentsWithoutFmu) {
  System system = new_system(std::vector{fmu_of("2.0", "Integrator")});
  Component& gain = system.components.emplace_back();
  gain.name = "x";
  gain.built_in.type = "gain";
  const auto proposed = propose_connections(system);
  EXPECT_TRUE(std::ranges::any_of(proposed, [](const ProposedConnection& c) {
    return c.to == Endpoint{"x", "u"};
  }));
}

TEST(NewSystems, AreTextThatNamesItsFile) {
  const System system = new_system(std::vector{fmu_of("2.0", "Gain")});
  EXPECT_THAT(new_system_text(system, {}, "my car.toml"), HasSubstr("tutti run 'my car.toml'"));
}

TEST(NewSystems, NeedAnFmu) {
  EXPECT_EQ(error_of([] { new_system({}); }).code(), ErrorCode::usage);
  EXPECT_EQ(error_of([] { new_system(std::vector<std::filesystem::path>{"no.fmu"}); }).code(),
            ErrorCode::file);
}

}  // namespace
}  // namespace tutti::testing
