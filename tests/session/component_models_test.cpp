// SPDX-License-Identifier: BSD-2-Clause
#include "session/automatic.hpp"

#include <gtest/gtest.h>

namespace tutti::session {
namespace {

/// One component, y = d u for each of its outputs, or with a state of this rate.
CycleModels one_model(std::size_t outputs, double rate) {
  CycleModels cycle;
  cycle.interface.components = {0};
  cycle.interface.u = {{{0, 0}}};
  cycle.interface.outside.resize(1);
  cycle.interface.y.resize(1);
  for (std::size_t k = 0; k < outputs; ++k)
    cycle.interface.y[0].push_back({static_cast<std::int32_t>(k + 1), 0});
  analysis::Linearization& model = cycle.components.emplace_back();
  model.has_states = true;
  model.system.a = stability::Matrix(1, 1);
  model.system.a(0, 0) = -rate;
  model.system.b = stability::Matrix(1, 1);
  model.system.c = stability::Matrix(outputs, 1);
  model.system.d = stability::Matrix(outputs, 1);
  return cycle;
}

// A member of a cycle that takes values only and has outputs besides is fitted a second time, with
// all outputs. The cycle was judged with the first fit, so it is coupled with that one; the second
// fit knows the outputs that are to be corrected.
TEST(KnownModels, CoupleACycleWithTheModelsThatItWasJudgedBy) {
  System system;
  system.components.resize(1);
  ModelledAdvice known;
  known.models = {one_model(1, 1.0)};
  known.alone = {one_model(2, 1.5)};
  const KnownModels models = known_models(system, known);
  ASSERT_TRUE(models.coupling[0] && models.errors[0]);
  EXPECT_EQ(models.coupling[0]->system.a(0, 0), -1.0);
  EXPECT_EQ(models.coupling[0]->y.size(), 1u);
  EXPECT_EQ(models.errors[0]->system.a(0, 0), -1.5);
  EXPECT_EQ(models.errors[0]->y.size(), 2u);
}

}  // namespace
}  // namespace tutti::session
