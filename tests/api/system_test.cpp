// SPDX-License-Identifier: BSD-2-Clause
// <tutti/system.hpp>, <tutti/control_settings.hpp>: a system as a description.
#include <gtest/gtest.h>

#include <tutti/simulation.hpp>

#include "api/systems.hpp"

namespace tutti::testing {
namespace {

TEST(SystemDescription, FindsItsComponents) {
  const System system = oscillator();
  EXPECT_EQ(system.find("speed"), 1);
  EXPECT_EQ(system.find("none"), -1);
  EXPECT_EQ(system.qualified(1, "y"), "speed.y");
}

TEST(SystemDescription, OfALoneFmuHasNamesWithoutComponents) {
  const System system = system_of(fmu_of("2.0", "BouncingBall"));
  EXPECT_TRUE(system.is_single_fmu);
  EXPECT_EQ(system.qualified(0, "h"), "h");
}

TEST(SystemDescription, KnowsWhetherInputsMoveInsideSteps) {
  System system = oscillator();
  EXPECT_FALSE(system.has_varying_inputs());
  system.connections[0].inputs.order = 1;
  EXPECT_TRUE(system.has_varying_inputs());
  system = oscillator();
  system.simulation.inputs.inside = InsideStep::linear;
  EXPECT_TRUE(system.has_varying_inputs());
}

TEST(InputSettings, AreConstantUnlessSomethingIsChosen) {
  InputSettings settings;
  EXPECT_TRUE(settings.are_constant());
  settings.correct = Correction::linear;
  EXPECT_FALSE(settings.are_constant());
}

TEST(InputSettings, OfAConnectionReplaceThoseOfTheSimulation) {
  ConnectionInputs own;
  own.order = 2;
  own.smooth = true;
  InputSettings general;
  general.order = 1;
  general.inside = InsideStep::linear;
  const InputSettings both = own.over(general);
  EXPECT_EQ(both.order, 2u);
  EXPECT_TRUE(both.smooth);
  EXPECT_EQ(both.inside, InsideStep::linear);
}

}  // namespace
}  // namespace tutti::testing
