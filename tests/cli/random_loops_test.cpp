// SPDX-License-Identifier: BSD-2-Clause
// Loops with random asymmetric gains: whoever ends well has solved the equations. A master that
// took the Jacobian for its transpose would pass symmetric loops only.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "support/command.hpp"

namespace tutti::testing {
namespace {

constexpr double step = 0.1;
using NamedRow = std::map<std::string, double>;

class EveryIteration : public ::testing::TestWithParam<const char*> {
 protected:
  /// Runs the system with the method under test; the rows of the results.
  std::vector<NamedRow> run(const std::string& system) {
    place_.write("s.toml", system + fmt::format("[simulation]\nstop = 0.3\nstep = {}\n"
                                                "method = \"{}\"\ntolerance = {{ abs = 1e-10, "
                                                "rel = 1e-10, iterations = 100 }}\n",
                                                step, GetParam()));
    answer_ = place_.tutti({"run", "s.toml", "-o", "r.csv"});
    const auto cells = csv_rows(place_.read("r.csv"));
    std::vector<NamedRow> rows;
    for (std::size_t r = 1; r < cells.size(); ++r)
      for (std::size_t c = 0; c < cells[r].size(); ++c) {
        if (c == 0) rows.emplace_back();
        rows.back()[cells[0][c]] = std::stod(cells[r][c]);
      }
    return rows;
  }
  Workplace place_;
  Answer answer_;
};
INSTANTIATE_TEST_SUITE_P(Cli, EveryIteration,
                         ::testing::Values("anderson", "broyden", "iterated", "newton"),
                         [](const auto& tested) { return std::string(tested.param); });

/// x' = B u, y = C x + D u with two states, inputs and outputs: StateSpace with A = 0. With an
/// input u that is held over a step, x grows by h B u exactly.
struct Plant {
  double B[2][2], C[2][2], D[2][2], x0[2];
};

/// Plants whose inputs are u_k = factor_k y_source(k) + offset_k, numbered through.
class RandomSystem {
 public:
  explicit RandomSystem(unsigned seed) : random_(seed), plants_(1 + seed % 3) {
    const double gain = std::pow(10.0, between(-1, 1));
    for (Plant& plant : plants_) {
      for (auto* matrix : {plant.B, plant.C, plant.D})
        for (int i = 0; i < 4; ++i) matrix[i / 2][i % 2] = between(-gain, gain);
      for (double& x : plant.x0) x = between(-2, 2);
    }
    for (std::size_t k = 0; k < 2 * plants_.size(); ++k) {
      source_.push_back(k);
      factor_.push_back(between(-2, 2));
      offset_.push_back(between(-1, 1));
    }
    std::shuffle(source_.begin(), source_.end(), random_);
  }

  std::string text() const {
    std::string text;
    const auto matrix = [](const double(&m)[2][2]) {
      return fmt::format("[[{:.17g}, {:.17g}], [{:.17g}, {:.17g}]]", m[0][0], m[0][1], m[1][0],
                         m[1][1]);
    };
    for (std::size_t p = 0; p < plants_.size(); ++p)
      text += fmt::format(
          "[components.p{}]\nfmu = \"{}\"\nset = {{ m = 2, n = 2, r = 2, A = [[0.0, 0.0], [0.0, "
          "0.0]], B = {}, C = {}, D = {}, x0 = [{:.17g}, {:.17g}] }}\n",
          p, fmu("3.0", "StateSpace"), matrix(plants_[p].B), matrix(plants_[p].C),
          matrix(plants_[p].D), plants_[p].x0[0], plants_[p].x0[1]);
    text += "[results]\nvariables = [\"*.x\", \"*.y\"]\n[connections]\nlist = [\n";
    for (std::size_t k = 0; k < source_.size(); ++k)
      text += fmt::format("{{ from = \"{}\", to = \"{}\", factor = {:.17g}, offset = {:.17g} }},\n",
                          name("y", source_[k]), name("u", k), factor_[k], offset_[k]);
    return text + "]\n";
  }

  /// How much the equations of the end of a step are missed, relative to the values in them.
  double miss(const NamedRow& before, const NamedRow& after, double h) const {
    double worst = 0, largest = 1;
    const auto u = [&](std::size_t k) {
      return factor_[k] * after.at(name("y", source_[k])) + offset_[k];
    };
    const auto compare = [&](double a, double b) {
      largest = std::max({largest, std::abs(a), std::abs(b)});
      worst =
          std::max(worst, std::isnan(a) || std::isnan(b) ? std::numeric_limits<double>::infinity()
                                                         : std::abs(a - b));
    };
    for (std::size_t k = 0; k < source_.size(); ++k) {
      const std::size_t first = k - k % 2, row = k % 2;
      const Plant& plant = plants_[k / 2];
      double x = before.at(name("x", k)), y = 0;
      for (std::size_t j = 0; j < 2; ++j) {
        x += h * plant.B[row][j] * u(first + j);
        y += plant.C[row][j] * after.at(name("x", first + j)) + plant.D[row][j] * u(first + j);
      }
      compare(x, after.at(name("x", k)));
      compare(y, after.at(name("y", k)));
    }
    return worst / largest;
  }

 private:
  static std::string name(const char* variable, std::size_t k) {
    return fmt::format("p{}.{}[{}]", k / 2, variable, k % 2 + 1);
  }
  double between(double low, double high) {
    return std::uniform_real_distribution(low, high)(random_);
  }
  std::mt19937 random_;
  std::vector<Plant> plants_;
  std::vector<std::size_t> source_;
  std::vector<double> factor_, offset_;
};

TEST_P(EveryIteration, SolvesALinearLoopOrFails) {
  int solved = 0;
  for (unsigned seed = 0; seed < 24; ++seed) {
    const RandomSystem system(seed);
    const std::vector<NamedRow> rows = run(system.text());
    // Some of these are far from what a sweep can solve, but every one has a solution.
    ASSERT_TRUE(answer_.status == 0 || answer_.status == 1) << "seed " << seed << answer_.err;
    if (answer_.status == 1) continue;
    ++solved;
    ASSERT_EQ(rows.size(), 4u) << "seed " << seed;
    // 1e-7: an iterate that changes by 1e-10 misses the equations by so much times the gains, which
    // are products of up to four random numbers below 10.
    EXPECT_LT(system.miss(rows[0], rows[0], 0), 1e-7) << "seed " << seed << " at the start";
    for (std::size_t i = 1; i < rows.size(); ++i)
      EXPECT_LT(system.miss(rows[i - 1], rows[i], step), 1e-7) << "seed " << seed << " step " << i;
  }
  EXPECT_GE(solved, std::string(GetParam()) == "newton" ? 24 : 10);  // a sweep: about half
}

// z = x/u with u = f (k z + b) + o: one equation of the second degree, contracting or not.
TEST_P(EveryIteration, SolvesANonlinearLoopOrFails) {
  std::mt19937 random(1);
  std::uniform_real_distribution gain(-4.0, 4.0);
  int solved = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const double k = gain(random), f = gain(random), b = 4 + gain(random), x = 1 + trial % 3;
    const std::vector<NamedRow> rows = run(fmt::format(
        "[components.q]\nfmu = \"{}\"\nset = {{ divides = true, x = {:.17g}, u = 1.0 }}\n"
        "[components.g]\nfmu = \"{}\"\nset = {{ k = {:.17g}, b = {:.17g} }}\n"
        "[connections]\nlist = [\"q.z -> g.u\", {{ from = \"g.y\", to = \"q.u\", factor = {:.17g}, "
        "offset = 0.5 }}]\n[results]\nvariables = [\"q.x\", \"q.z\"]\n",
        fmu("2.0", "Quotient"), x, fmu("2.0", "Gain"), k, b, f));
    if (answer_.status == 1 || answer_.err.find("algebraic loop") != std::string::npos) continue;
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    ++solved;
    for (const NamedRow& row : rows) {
      const double z = row.at("q.z"), u = f * (k * z + b) + 0.5;
      EXPECT_NEAR(z * u, row.at("q.x"), 1e-6 * (1 + std::abs(z) + std::abs(u)))
          << "trial " << trial << " at " << row.at("time");  // the tolerance times the gains
    }
  }
  EXPECT_GE(solved, 1);
}

}  // namespace
}  // namespace tutti::testing
