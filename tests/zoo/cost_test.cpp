// SPDX-License-Identifier: BSD-2-Clause
// What auto needs for its tolerance, where that was too much: calls of doStep against the best of
// the fixed-step methods as `./dev bench --only zoo --best` finds it.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/command.hpp"
#include "support/places.hpp"
#include "zoo/run.hpp"

namespace zoo {
namespace {

struct Cost {
  const char* system;
  Ability ability;
  double tolerance;
  std::uint64_t best;  ///< calls of the best fixed-step method
};
// system, class, tolerance, best
constexpr Cost costs[] = {
    // Inputs of components without states matter for their outputs only, which are corrected; and
    // components behind the loop extrapolate what was corrected.
    {"loop-0.5", Ability::all, 1e-3, 304},
    {"loop-5", Ability::values, 1e-3, 654},
    {"loop--20", Ability::values, 1e-5, 2382},
    // Predicted inputs are lines where components follow them, not constants.
    {"masses-1e2", Ability::all, 1e-3, 778},
    {"masses-1e2", Ability::all, 1e-5, 1544},
    // A tenth of the tolerance for each step is more than needed.
    {"linear-3-3", Ability::values, 1e-5, 777},
    {"follower-1e2", Ability::values, 1e-3, 512},
};

class AutomaticCost : public ::testing::TestWithParam<Cost> {};

TEST_P(AutomaticCost, IsAtMostTwiceThatOfTheBestFixedStepMethod) {
  const auto [name, ability, tolerance, best] = GetParam();
  const auto& all = systems();
  const auto system = std::find_if(
      all.begin(), all.end(), [&](const System& one) { return one.name == GetParam().system; });
  ASSERT_NE(system, all.end());
  const tutti::testing::Workplace place;
  const Runner runner(tutti::places::build_folder() / "zoo", place.path());
  const zoo::Run run = runner.run_automatic(*system, Reference(*system), ability, tolerance, 60);
  EXPECT_EQ(run.status, 0) << run.message;
  EXPECT_LE(run.error, tolerance);
  EXPECT_LE(run.calls, 2 * best);
}
INSTANTIATE_TEST_SUITE_P(Zoo, AutomaticCost, ::testing::ValuesIn(costs), [](const auto& test) {
  std::string name = std::string(test.param.system) + "_" + name_of(test.param.ability) +
                     (test.param.tolerance < 1e-4 ? "_fine" : "");
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
});

}  // namespace
}  // namespace zoo
