// SPDX-License-Identifier: BSD-2-Clause
// Parts are chosen by their names in the tables, also by those who fill a System themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tutti/system_run.hpp>

#include "support/places.hpp"

namespace tutti::testing {
namespace {

using ::testing::HasSubstr;

System two_integrators() {
  System system;
  for (const char* name : {"position", "velocity"}) {
    Component& component = system.components.emplace_back();
    component.name = name;
    component.fmu = places::fmu_folder() / "2.0/Integrator.fmu";
  }
  system.connections = {{.from = {"velocity", "x"}, .to = {"position", "u"}},
                        {.from = {"position", "x"}, .to = {"velocity", "u"}, .factor = -1}};
  return system;
}

std::string refusal_of_run(const System& system) {
  try {
    run(system, {}, nullptr, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "nothing was refused";
}

TEST(PartNames, ThatAreNotInTheTableAreRefused) {
  System system = two_integrators();
  system.simulation.methods = {"newtn"};
  EXPECT_THAT(refusal_of_run(system), HasSubstr("unknown coupling method \"newtn\""));
  system = two_integrators();
  system.simulation.control.name = "richardsen";
  EXPECT_THAT(refusal_of_run(system),
              HasSubstr("simulation.control.name must be one of \"fixed\", \"convergence\", "
                        "\"richardson\", \"predictor\", not \"richardsen\". Did you mean "
                        "\"richardson\"?"));
}

}  // namespace
}  // namespace tutti::testing
