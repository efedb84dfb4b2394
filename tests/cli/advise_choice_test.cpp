// SPDX-License-Identifier: BSD-2-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/system_run.hpp"

namespace tutti::testing {
namespace {

using Json = nlohmann::json;

/// Rings of linear components of three states, as FMUs with different abilities.
class AdvisedChoice : public SystemRun {
 protected:
  struct Ring {
    std::vector<std::string> sets, connections;
    double step = 0;
  };
  static Ring random_ring(unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const std::size_t count = 2 + random() % 2;
    const bool feeds_through = random() % 5 < 2;
    Ring ring;
    for (std::size_t i = 0; i < count; ++i) {
      const double rate = random() % 2 == 0 ? 1 : 10;
      const bool oscillates = random() % 2 == 0;
      std::string set;
      const auto put = [&](char matrix, std::size_t row, std::size_t column, double value) {
        set += fmt::format("\"{}[{},{}]\" = {:.17f}, ", matrix, row + 1, column + 1, value);
      };
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) {
          const double oscillation[] = {0, 1, 0, -rate * rate, -0.1 * rate * uniform(), 0,
                                        0, 0, -1};
          const double lag = rate * (0.6 * normal(random) - (k == l ? 2.5 : 0));
          put('A', k, l, oscillates ? oscillation[3 * k + l] : lag);
          put('B', k, l, l == 0 ? rate * normal(random) : 0);
          put('C', k, l, k == 0 ? normal(random) : 0);
          put('D', k, l, k + l == 0 && feeds_through ? 0.8 * normal(random) : 0);
        }
      for (std::size_t k = 1; k <= 3; ++k)
        set += fmt::format("\"x0[{0}]\" = {1:.17f}, \"u[{0}]\" = 0.0{2}", k, normal(random),
                           k < 3 ? ", " : "");
      ring.sets.push_back(set);
      ring.connections.push_back(
          fmt::format("{{ from = \"c{}.y[1]\", to = \"c{}.u[1]\", factor = {:.17f} }}", i,
                      (i + 1) % count, 0.7 * normal(random)));
    }
    ring.step = std::array{0.01, 0.05, 0.1}[random() % 3];
    return ring;
  }
  void write_ring(const Ring& ring, const std::string& model, double step,
                  const std::string& settings = "") {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < ring.sets.size(); ++i)
      parts.push_back({fmt::format("c{}", i), model, ring.sets[i]});
    write(parts, ring.connections,
          fmt::format("[simulation]\nstop = 2.0\nstep = {}\n{}", step, settings));
  }
  static std::string settings_of(const Json& choice) {
    const Json& inputs = choice["inputs"];
    return fmt::format(
        "method = {}\n[simulation.inputs]\ninside = {}\norder = {}\nderivatives = {}\nsmooth = "
        "{}\ncorrect = {}\n",
        choice["method"].dump(), inputs["inside"].dump(), inputs["order"].dump(),
        inputs["derivatives"].dump(), inputs["smooth"].dump(), inputs["correct"].dump());
  }
  /// The first outputs at the end.
  std::vector<double> ends(const Ring& ring) {
    auto last = run();
    EXPECT_EQ(answer_.status, 0) << answer_.err;
    std::vector<double> values;
    for (std::size_t i = 0; i < ring.sets.size(); ++i)
      values.push_back(last[fmt::format("c{}.y[1]", i)]);
    return values;
  }
};

// FMUs without equations, with and without rollback: what advise puts first is stable with the
// step of the file. 0.3: errors of first order in steps of a tenth of the fastest motion.
TEST_F(AdvisedChoice, HoldsForCoSimulationAlone) {
  int chosen = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Ring ring = random_ring(seed);
    const std::string model = seed % 2 == 0 ? "StateSpaceCs" : "StateSpaceBare";
    write_ring(ring, "StateSpace", ring.step / 20,
               "method = \"newton\"\n[simulation.inputs]\ninside = \"linear\"\n");
    const std::vector<double> expected = ends(ring);
    write_ring(ring, model, ring.step);
    answer_ = place_.tutti({"advise", "s.toml", "--json"});
    ASSERT_EQ(answer_.status, 0) << answer_.err;
    const Json cycle = Json::parse(answer_.out)["cycles"][0];
    EXPECT_EQ(cycle["linearized"], true) << seed << ' ' << cycle["components"];
    // It lacks rollback and says so, or the system itself runs away.
    if (cycle["choices"].empty() || cycle["abscissa"] > 1.0) continue;
    ++chosen;
    write_ring(ring, model, ring.step, settings_of(cycle["choices"][0]));
    const std::vector<double> found = ends(ring);
    double scale = 1;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 0.3 * scale) << seed << ' ' << cycle["choices"][0];
  }
  EXPECT_GE(chosen, 8);
}

}  // namespace
}  // namespace tutti::testing
