// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solvers/ode/runge_kutta.hpp"

/// Order conditions by rooted trees (J. C. Butcher; E. Hairer, S. P. Norsett, G. Wanner, Solving
/// Ordinary Differential Equations I, II.2): a method has order p if
///   sum_i b_i Phi_i(tree) = theta^order(tree) / gamma(tree)
/// for all trees of up to p nodes; Phi_i is the product over the subtrees at the root of
/// sum_j a_ij Phi_j(subtree). At theta = 1 it is the solution, before it the interpolant.

namespace tutti::solvers {
namespace {

struct RootedTree {
  std::vector<std::size_t> subtrees;  ///< their numbers, ascending
  int order = 1;
  double gamma = 1;
};

/// Adds those with `rest` more nodes in subtrees that are numbered at most `largest`.
void add_trees(std::vector<RootedTree>& trees, RootedTree tree, int rest, std::size_t largest) {
  if (rest == 0) {
    std::ranges::sort(tree.subtrees);
    for (const std::size_t subtree : tree.subtrees) {
      tree.order += trees[subtree].order;
      tree.gamma *= trees[subtree].gamma;
    }
    tree.gamma *= tree.order;
    trees.push_back(tree);
    return;
  }
  for (std::size_t next = 0; next <= largest && next < trees.size(); ++next) {
    const int order = trees[next].order;
    if (order > rest) break;
    RootedTree more = tree;
    more.subtrees.push_back(next);
    add_trees(trees, more, rest - order, next);
  }
}

/// All trees of up to `order` nodes, by their number of nodes.
std::vector<RootedTree> rooted_trees(int order) {
  std::vector<RootedTree> trees{{}};
  for (int nodes = 2; nodes <= order; ++nodes) {
    const std::size_t smaller = trees.size();
    add_trees(trees, {}, nodes - 1, smaller - 1);
  }
  return trees;
}

/// Phi by tree and stage.
std::vector<std::vector<double>> elementary_weights(const Tableau& tableau,
                                                    const std::vector<RootedTree>& trees) {
  const std::size_t stages = tableau.c.size();
  std::vector<std::vector<double>> phi;
  for (const RootedTree& tree : trees) {
    phi.emplace_back(stages, 1.0);
    for (const std::size_t subtree : tree.subtrees)
      for (std::size_t i = 0; i < stages; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < i; ++j) sum += tableau.row(i)[j] * phi[subtree][j];
        phi.back()[i] *= sum;
      }
  }
  return phi;
}

/// The largest violation of the conditions of exactly this order.
double violation(const Tableau& tableau, const std::vector<double>& weights, int order,
                 double theta = 1) {
  const std::vector<RootedTree> trees = rooted_trees(order);
  const auto phi = elementary_weights(tableau, trees);
  double worst = 0;
  for (std::size_t k = 0; k < trees.size(); ++k) {
    if (trees[k].order != order) continue;
    double sum = -std::pow(theta, order) / trees[k].gamma;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * phi[k][i];
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

std::vector<double> solution_weights(const Tableau& tableau) {
  std::vector<double> weights(tableau.weights().begin(), tableau.weights().end());
  weights.resize(tableau.c.size());
  return weights;
}

std::vector<double> embedded_weights(const Tableau& tableau, std::span<const double> error) {
  std::vector<double> weights = solution_weights(tableau);
  for (std::size_t i = 0; i < error.size(); ++i) weights[i] -= error[i];
  return weights;
}

/// The weights of the interpolant at theta, from the meaning of r_0, r_1, ...
std::vector<double> interpolant_weights(const Tableau& tableau, double theta) {
  const std::vector<double> b = solution_weights(tableau);
  std::vector<double> weights(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double first = i == 0 ? 1 : 0, last = i == tableau.stages - 1 ? 1 : 0;
    std::vector<double> r{0, b[i], first - b[i], b[i] - last - (first - b[i])};
    for (std::size_t d = 0; d < tableau.dense_row_count(); ++d)
      r.push_back(tableau.dense_row(d)[i]);
    double factor = 1;
    for (std::size_t k = 0; k < r.size(); ++k) {
      weights[i] += factor * r[k];
      factor *= k % 2 == 0 ? theta : 1 - theta;
    }
  }
  return weights;
}

/// Exactly that order: its conditions hold, one of the next does not.
void expect_order(const Tableau& tableau, const std::vector<double>& weights, int order,
                  double theta = 1) {
  for (int p = 1; p <= order; ++p)
    // Rounding errors of up to 40 in magnitude that are summed over 16 stages.
    EXPECT_LT(violation(tableau, weights, p, theta), 1e-13) << "order " << p;
  EXPECT_GT(violation(tableau, weights, order + 1, theta), 1e-7);
}

TEST(Tableau, ThereAreAsManyTreesAsInTheBook) {
  const std::vector<RootedTree> trees = rooted_trees(9);  // I, table II.2.3
  std::vector<int> count(9);
  for (const RootedTree& tree : trees) ++count[static_cast<std::size_t>(tree.order) - 1];
  EXPECT_EQ(count, (std::vector{1, 1, 2, 4, 9, 20, 48, 115, 286}));
}

TEST(Tableau, EveryStageIsOfOrderOne) {
  for (const Tableau* tableau :
       {&dopri5_tableau, &dop853_tableau, &rk34_tableau, &euler_tableau, &rk4_tableau}) {
    ASSERT_EQ(tableau->a.size(), tableau->c.size() * (tableau->c.size() - 1) / 2);
    for (std::size_t i = 1; i < tableau->c.size(); ++i) {
      double sum = 0;
      for (const double a : tableau->row(i)) sum += a;
      EXPECT_NEAR(sum, tableau->c[i], 1e-14) << i;  // rounding errors of numbers up to 45
    }
  }
}

TEST(Tableau, EverySolutionHasItsOrder) {
  for (const Tableau* tableau :
       {&dopri5_tableau, &dop853_tableau, &rk34_tableau, &euler_tableau, &rk4_tableau})
    expect_order(*tableau, solution_weights(*tableau), tableau->order);
}

TEST(Tableau, EmbeddedSolutionsHaveTheOrdersThatTheErrorEstimatesAssume) {
  expect_order(dopri5_tableau, embedded_weights(dopri5_tableau, dopri5_tableau.error), 4);
  expect_order(dop853_tableau, embedded_weights(dop853_tableau, dop853_tableau.error), 5);
  expect_order(dop853_tableau, embedded_weights(dop853_tableau, dop853_tableau.second_error), 3);
  expect_order(rk34_tableau, embedded_weights(rk34_tableau, rk34_tableau.error), 3);
}

TEST(Tableau, InterpolantsHaveTheirOrders) {
  for (const double theta : {0.1, 0.3, 0.8}) {
    expect_order(dopri5_tableau, interpolant_weights(dopri5_tableau, theta), 4, theta);
    expect_order(dop853_tableau, interpolant_weights(dop853_tableau, theta), 7, theta);
    expect_order(rk34_tableau, interpolant_weights(rk34_tableau, theta), 3, theta);
  }
}

}  // namespace
}  // namespace tutti::solvers
