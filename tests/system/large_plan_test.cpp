// SPDX-License-Identifier: BSD-2-Clause
// Systems of 10,000 components and 100,000 connections.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support_models.hpp"

namespace tutti::system {
namespace {

using Kind = EvaluationBlock::Kind;

/// Many components of one model with 10 inputs and 10 outputs.
Bench large(std::size_t components, const testing::SmallDescription& model) {
  Bench bench;
  for (std::size_t i = 0; i < components; ++i) bench.share(fmt::format("c{}", i), model);
  return bench;
}

testing::SmallDescription ten_by_ten() {
  testing::SmallDescription model;
  for (int i = 0; i < 10; ++i) {
    model.add(fmt::format("u{}", i), Type::float64, Causality::input);
    model.add(fmt::format("y{}", i), Type::float64, Causality::output);
  }
  return model;
}

/// 10,000 components, each fed ten times by those before it.
Bench large_random(const testing::SmallDescription& model) {
  constexpr std::uint32_t n = 10'000;
  Bench bench = large(n, model);
  std::mt19937 random(1);
  for (std::uint32_t c = 1; c < n; ++c)
    for (int i = 0; i < 10; ++i)
      bench.system.connections.push_back(
          {{fmt::format("c{}", random() % c), fmt::format("y{}", random() % 10)},
           {fmt::format("c{}", c), fmt::format("u{}", i)},
           1,
           0,
           {}});
  return bench;
}

TEST(LargePlan, HasEveryComponentOnceAfterWhatItNeeds) {
  const testing::SmallDescription model = ten_by_ten();
  const Bench bench = large_random(model);
  const Plan plan = bench.plan();
  EXPECT_EQ(plan.links.size(), 99'990u);
  ASSERT_EQ(plan.stages.size(), bench.descriptions.size());
  std::vector<std::uint32_t> priority(bench.descriptions.size());
  for (const Stage& stage : plan.stages) priority[stage.components.at(0)] = stage.priority;
  for (const Link& link : plan.links)
    ASSERT_LT(priority[link.from.component], priority[link.to.component]);
}

/// Ten lanes: each output depends on one input.
testing::SmallDescription ten_lanes() {
  testing::SmallDescription model = ten_by_ten();
  for (std::int32_t i = 0; i < 10; ++i)
    model.description.structure.outputs.push_back(
        {2 * i + 1, std::vector<std::int32_t>{2 * i}, {}});
  return model;
}

TEST(LargePlan, ManagesOutputsThatDependOnOneInputEach) {
  const testing::SmallDescription model = ten_lanes();
  const Plan plan = large_random(model).plan();
  std::size_t coupled = 0;
  for (const EvaluationBlock& block : plan.evaluations) {
    EXPECT_NE(block.kind, Kind::solve);
    coupled += block.variables.size();
  }
  EXPECT_EQ(coupled, plan.coupled.size());
}

// Whoever follows one lane to its end before the next finds no partners nearby.
TEST(LargePlan, AsksEveryModelOfParallelChainsOnce) {
  const testing::SmallDescription model = ten_lanes();
  constexpr std::uint32_t n = 10'000;
  Bench bench = large(n, model);
  for (std::uint32_t c = 1; c < n; ++c)
    for (int i = 0; i < 10; ++i)
      bench.system.connections.push_back({{fmt::format("c{}", c - 1), fmt::format("y{}", i)},
                                          {fmt::format("c{}", c), fmt::format("u{}", i)},
                                          1,
                                          0,
                                          {}});
  const Plan plan = bench.plan();
  const auto gets =
      std::count_if(plan.evaluations.begin(), plan.evaluations.end(),
                    [](const EvaluationBlock& block) { return block.kind == Kind::get; });
  EXPECT_EQ(gets, n - 1);  // nobody needs the outputs of the last one
}

TEST(LargePlan, CanBeOneCycle) {
  const testing::SmallDescription model = ten_by_ten();
  constexpr std::uint32_t n = 10'000;
  Bench bench = large(n, model);
  std::mt19937 random(2);
  for (std::uint32_t c = 0; c < n; ++c)
    for (int i = 0; i < 10; ++i)
      bench.system.connections.push_back(
          {{fmt::format("c{}", i == 0 ? (c + n - 1) % n : random() % n), "y0"},
           {fmt::format("c{}", c), fmt::format("u{}", i)},
           1,
           0,
           {}});
  const Plan plan = bench.plan();
  ASSERT_EQ(plan.stages.size(), 1u);
  EXPECT_EQ(plan.stages[0].components.size(), n);
}

TEST(LargePlan, AChainOf100000ComponentsNeedsNoStack) {
  testing::SmallDescription model;
  model.add("u", Type::float64, Causality::input);
  model.add("y", Type::float64, Causality::output);
  constexpr std::uint32_t n = 100'000;
  Bench bench = large(n, model);
  for (std::uint32_t c = 1; c < n; ++c)
    bench.system.connections.push_back(
        {{fmt::format("c{}", c - 1), "y"}, {fmt::format("c{}", c), "u"}, 1, 0, {}});
  const Plan plan = bench.plan();
  EXPECT_EQ(plan.stages.back().priority, n - 1);
  EXPECT_EQ(plan.evaluations.size(), 2u * (n - 1));
}

}  // namespace
}  // namespace tutti::system
