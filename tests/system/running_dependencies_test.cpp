// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "system/dependencies.hpp"

namespace tutti::system {
namespace {

using Indices = std::vector<std::int32_t>;

/// Inputs 0, 1; state 2; output 3; derivative 4 of the state.
ModelDescription model_with_derivative() {
  ModelDescription model;
  model.version = FmiVersion::v2;
  model.variables.resize(5);
  model.variables[0].causality = model.variables[1].causality = Causality::input;
  model.variables[3].causality = Causality::output;
  model.variables[4].derivative_of = 2;
  model.structure.derivatives = {{4, Indices{1, 2}, {}}};
  return model;
}

TEST(RunningDependencies, AreThoseOfTheOutputsWhateverHoldsAtTheStart) {
  ModelDescription model = model_with_derivative();
  model.structure.outputs = {{3, Indices{2, 1, 0}, {}}};
  model.structure.initial_unknowns = {{3, Indices{}, {}}};
  model.variables[3].initial = Initial::exact;
  EXPECT_EQ(RunningDependencies(model).inputs_of(3), (Indices{0, 1}));
}

TEST(RunningDependencies, OfAStateAreNone) {
  EXPECT_EQ(RunningDependencies(model_with_derivative()).inputs_of(2), Indices{});
}

TEST(RunningDependencies, OfADerivativeAreItsOwn) {
  EXPECT_EQ(RunningDependencies(model_with_derivative()).inputs_of(4), Indices{1});
}

TEST(RunningDependencies, AreUnknownWhereNothingIsSaid) {
  ModelDescription model = model_with_derivative();
  EXPECT_EQ(RunningDependencies(model).inputs_of(3), std::nullopt);
  model.structure.outputs = {{3, std::nullopt, {}}};
  EXPECT_EQ(RunningDependencies(model).inputs_of(3), std::nullopt);
}

}  // namespace
}  // namespace tutti::system
