// SPDX-License-Identifier: BSD-2-Clause
// The graphs are those of chapter 5 of Ch. Andersson's thesis (Lund 2016); where a figure is not
// legible, a graph with the properties that the text names.
#include "system/evaluation_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace tutti::system {
namespace {

using Node = Graph::Node;
using Kind = EvaluationBlock::Kind;

/// A coupled system written as in the thesis: y2[1] is output 2 of model 1.
class Coupled {
 public:
  Node input(std::uint32_t model, int number) { return node(model, number, false); }
  Node output(std::uint32_t model, int number) { return node(model, number, true); }
  /// Output `y` of the model depends on its input `u`.
  void through(std::uint32_t model, int u, int y) {
    edges_.push_back({input(model, u), output(model, y)});
  }
  void connect(std::uint32_t from, int y, std::uint32_t to, int u) {
    edges_.push_back({output(from, y), input(to, u)});
  }
  std::vector<EvaluationBlock> order(bool reduce = true) const {
    return evaluation_order(variables_, edges_, reduce);
  }
  std::size_t evaluations(bool reduce = true) const {
    return evaluation_count(order(reduce), variables_, edges_);
  }
  std::size_t loop_count() const {
    const auto blocks = order();
    return static_cast<std::size_t>(std::count_if(
        blocks.begin(), blocks.end(), [](const auto& b) { return b.kind == Kind::solve; }));
  }
  void shuffle(std::mt19937& random) { std::shuffle(edges_.begin(), edges_.end(), random); }
  /// Everything is computed once, after what it needs; a group is outputs of one model.
  void expect_valid(bool reduce = true) const {
    std::map<Node, std::size_t> place;
    const auto blocks = order(reduce);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (const Node node : blocks[i].variables) EXPECT_TRUE(place.emplace(node, i).second);
      if (blocks[i].kind == Kind::set) {
        EXPECT_EQ(blocks[i].variables.size(), 1u);
      }
      if (blocks[i].kind == Kind::get)
        for (const Node node : blocks[i].variables) {
          EXPECT_TRUE(variables_[node].is_output);
          EXPECT_EQ(variables_[node].model, variables_[blocks[i].variables.front()].model);
        }
    }
    EXPECT_EQ(place.size(), variables_.size());
    for (const auto& edge : edges_) {
      EXPECT_LE(place[edge.from], place[edge.to]);
      if (place[edge.from] == place[edge.to]) {
        EXPECT_EQ(blocks[place[edge.from]].kind, Kind::solve);
      }
    }
  }

 private:
  Node node(std::uint32_t model, int number, bool is_output) {
    const auto [found, is_new] =
        nodes_.emplace(std::tuple(model, number, is_output), static_cast<Node>(variables_.size()));
    if (is_new) variables_.push_back({model, is_output});
    return found->second;
  }
  std::map<std::tuple<std::uint32_t, int, bool>, Node> nodes_;
  std::vector<CoupledVariable> variables_;
  std::vector<Graph::Edge> edges_;
};

Coupled figure_5_1() {
  Coupled s;
  s.through(1, 2, 1), s.through(1, 1, 2), s.through(2, 2, 1), s.through(2, 1, 2);
  s.through(3, 2, 1), s.through(3, 1, 2);
  s.connect(1, 1, 2, 1), s.connect(1, 2, 2, 2), s.connect(2, 2, 3, 1), s.connect(2, 1, 3, 2);
  s.connect(3, 1, 1, 2);
  return s;
}

TEST(EvaluationOrder, Figure51HasNoLoopAndSixEvaluations) {
  const Coupled s = figure_5_1();
  s.expect_valid();
  EXPECT_EQ(s.loop_count(), 0u);
  EXPECT_EQ(s.evaluations(false), 6u);
  EXPECT_EQ(s.evaluations(), 6u);
}

TEST(EvaluationOrder, Figure52HasOneLoopOfSixVariables) {
  Coupled s = figure_5_1();
  s.through(2, 1, 1);
  s.expect_valid();
  const auto blocks = s.order();
  const auto loop = std::find_if(blocks.begin(), blocks.end(),
                                 [](const auto& b) { return b.kind == Kind::solve; });
  ASSERT_NE(loop, blocks.end());
  std::vector<Node> expected = {s.input(1, 2),  s.output(1, 1), s.input(2, 1),
                                s.output(2, 1), s.input(3, 2),  s.output(3, 1)};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(loop->variables, expected);
  EXPECT_EQ(s.loop_count(), 1u);
}

TEST(EvaluationOrder, Example521NeedsTwoEvaluationsInsteadOfThree) {
  Coupled s;
  s.through(1, 1, 1), s.through(2, 2, 1), s.through(2, 1, 2);
  s.connect(1, 1, 2, 1), s.connect(1, 1, 2, 2);
  s.expect_valid();
  EXPECT_EQ(s.evaluations(false), 3u);
  EXPECT_EQ(s.evaluations(), 2u);
}

TEST(EvaluationOrder, Example522NeedsThreeEvaluationsInsteadOfFour) {
  Coupled s;
  s.through(2, 1, 1), s.through(2, 2, 2);
  s.connect(1, 1, 2, 1), s.connect(3, 1, 2, 2), s.connect(2, 1, 3, 1), s.connect(2, 2, 3, 2);
  s.expect_valid();
  EXPECT_EQ(s.evaluations(false), 4u);
  EXPECT_EQ(s.evaluations(), 3u);
}

TEST(EvaluationOrder, TheAcademicCaseNeedsFiveEvaluationsInAnyOrderOfItsEdges) {
  Coupled s;
  s.through(1, 1, 1), s.through(1, 1, 2), s.through(1, 2, 3), s.through(1, 3, 4);
  s.through(2, 1, 1), s.through(2, 2, 2), s.through(3, 1, 1), s.through(4, 2, 1);
  s.through(5, 1, 1), s.through(5, 3, 2);
  s.connect(1, 1, 4, 1), s.connect(1, 2, 2, 1), s.connect(1, 3, 2, 2), s.connect(1, 4, 5, 2);
  s.connect(2, 1, 5, 1), s.connect(2, 2, 4, 2), s.connect(3, 1, 5, 3), s.connect(5, 2, 3, 1);
  s.connect(5, 1, 1, 3), s.connect(4, 1, 3, 2);
  EXPECT_EQ(s.evaluations(false), 7u);  // with u1 and u2 of the first model, which are set, too
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    s.expect_valid();
    EXPECT_EQ(s.evaluations(), 5u);
    EXPECT_EQ(s.loop_count(), 1u);
    EXPECT_EQ(s.order().size(), 16u);
    s.shuffle(random);
  }
}

// A chassis with 148 outputs and 24 inputs, four wheels with 37 inputs and 6 outputs each, in which
// output k depends on the inputs j with (j - 1) mod 6 = k - 1.
TEST(EvaluationOrder, TheRaceCarNeedsFiveEvaluationsInsteadOfTwentyFive) {
  Coupled s;
  for (std::uint32_t wheel = 1; wheel <= 4; ++wheel) {
    const int first = static_cast<int>(wheel - 1);
    for (int j = 1; j <= 37; ++j) {
      s.connect(0, 37 * first + j, wheel, j);
      s.through(wheel, j, (j - 1) % 6 + 1);
    }
    for (int k = 1; k <= 6; ++k) s.connect(wheel, k, 0, 6 * first + k);
  }
  s.expect_valid();
  EXPECT_EQ(s.evaluations(false), 25u);
  EXPECT_EQ(s.evaluations(), 5u);
  EXPECT_EQ(s.loop_count(), 0u);
}

TEST(EvaluationOrder, IsValidAndNeverWorseOnRandomSystems) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    Coupled s;
    const auto models = 2 + random() % 3;
    std::vector<int> inputs, outputs;
    for (unsigned m = 0; m < models; ++m) {
      inputs.push_back(static_cast<int>(1 + random() % 3));
      outputs.push_back(static_cast<int>(1 + random() % 3));
      for (int u = 1; u <= inputs[m]; ++u)
        for (int y = 1; y <= outputs[m]; ++y)
          if (random() % 3 == 0) s.through(m, u, y);
    }
    for (unsigned m = 0; m < models; ++m)
      for (int u = 1; u <= inputs[m]; ++u) {
        const auto from = static_cast<std::uint32_t>(random() % models);
        s.connect(from, static_cast<int>(1 + random() % static_cast<unsigned>(outputs[from])), m,
                  u);
      }
    s.expect_valid();
    s.expect_valid(false);
    EXPECT_LE(s.evaluations(), s.evaluations(false));
  }
}

}  // namespace
}  // namespace tutti::system
