// SPDX-License-Identifier: BSD-2-Clause
#include "system/dependencies.hpp"

#include <gtest/gtest.h>

#include "support/small_description.hpp"

namespace tutti::system {
namespace {

using testing::SmallDescription;

TEST(MovingInputs, AreContinuousDoubles) {
  SmallDescription small;
  small.add("u", Type::float64, Causality::input);
  small.add("n", Type::float64, Causality::input, Variability::discrete);
  small.add("s", Type::string, Causality::input, Variability::discrete);
  small.add("f", Type::float32, Causality::input);
  const std::int32_t all[] = {1, 2, 3, 0};
  EXPECT_TRUE(any_moves(small.description, all));
  EXPECT_FALSE(any_moves(small.description, std::span(all).first(3)));
}

TEST(MovingInputs, AreFollowedByFmusThatTakeDerivatives) {
  for (const FmiVersion version : {FmiVersion::v1, FmiVersion::v2}) {
    SmallDescription small(version);
    small.add("u", Type::float64, Causality::input);
    const std::int32_t u = 0;
    small.description.co_simulation.emplace();
    EXPECT_FALSE(follows_inputs(small.description, {&u, 1}));
    small.description.co_simulation->can_interpolate_inputs = true;
    EXPECT_TRUE(follows_inputs(small.description, {&u, 1}));
  }
}

// FMI 3.0, 2.4.7.4: intermediateUpdate is an attribute of each variable.
TEST(MovingInputs, AreFollowedInFmi3IfEachMayBeSetInsideAStep) {
  SmallDescription small;
  small.add("u", Type::float64, Causality::input).intermediate_update = true;
  small.add("s", Type::string, Causality::input, Variability::discrete);
  small.add("f", Type::float32, Causality::input);
  small.add("v", Type::float64, Causality::input);
  const std::int32_t all[] = {0, 1, 2, 3};
  small.description.co_simulation.emplace();
  EXPECT_FALSE(follows_inputs(small.description, std::span(all).first(3)));
  small.description.co_simulation->provides_intermediate_update = true;
  EXPECT_TRUE(follows_inputs(small.description, std::span(all).first(3)));
  EXPECT_FALSE(follows_inputs(small.description, all));
}

}  // namespace
}  // namespace tutti::system
