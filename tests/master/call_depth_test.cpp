// SPDX-License-Identifier: BSD-2-Clause
// How far it is from the loop to a component.
#include <execinfo.h>
#include <gtest/gtest.h>

#include <array>

#include "master/fake_system.hpp"
#include "master/loop.hpp"

namespace tutti::master {
namespace {

int call_depth() {
  std::array<void*, 256> frames{};
  return backtrace(frames.data(), static_cast<int>(frames.size()));
}

/// Functions between the caller of Loop::advance() and the step of the first of two components.
int functions_to_a_step(const SimulationSettings& settings) {
  FakeSystem system;
  const auto time = [](double t, const FakeInstance::Values&) { return FakeInstance::Values{t}; };
  FakeInstance& first = system.add("a", time);
  system.add("b", time);
  system.connect("a.y", "b.u");
  system.plan();
  int deepest = 0;
  first.answer = [&](double t, double h) -> models::StepOutcome {
    deepest = std::max(deepest, call_depth());
    return {models::StepOutcome::Status::done, t + h};
  };
  system.parts.settings = settings;
  system.parts.inputs.resize(system.connection_count(), settings.inputs);
  system.parts.instances = std::move(system.instances);
  const Log log;
  Monitor monitor;
  Island island(std::move(system.parts), monitor, 1, log);
  Loop::Options options;
  options.grid = TimeGrid(0, 1, 0.125);
  options.control = settings.control;
  Loop loop(island, options, nullptr, monitor);
  loop.initialize();
  island.instance(0).step(0, 0);
  const int directly = std::exchange(deepest, 0);
  loop.advance(1);
  return deepest - directly;
}

// The loop, the step controller, the stepper and its program.
TEST(TheWayToAComponent, LeadsThroughFourFunctions) { EXPECT_LE(functions_to_a_step({}), 4); }

TEST(TheWayToAComponent, IsNoLongerWhereInputsMoveInsideAStep) {
  SimulationSettings settings;
  settings.inputs.inside = InsideStep::linear;
  EXPECT_LE(functions_to_a_step(settings), 4);
}

}  // namespace
}  // namespace tutti::master
