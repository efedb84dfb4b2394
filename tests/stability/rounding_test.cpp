// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "stability/identification.hpp"

namespace tutti::stability {
namespace {

/// x' = -(0.5 + stiff_rate) x + stiff_rate u + 1, y = stiff_rate x - stiff_rate u: a small
/// difference of large terms.
class StiffForce final : public Plant {
 public:
  explicit StiffForce(double stiff_rate) : rate_(stiff_rate) {}

  std::vector<double> start() override { return {0}; }
  std::vector<double> run(std::span<const double> steps, std::span<const double> moves,
                          std::size_t reverse_every) override {
    std::vector<double> values;
    double x = 1, sign = 1;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (reverse_every > 0 && k > 0 && k % reverse_every == 0) sign = -sign;
      const double u = 1 + sign * moves[0], a = -0.5 - rate_;
      x = std::exp(a * steps[k]) * x + std::expm1(a * steps[k]) / a * (rate_ * u + 1);
      values.push_back(rate_ * x - rate_ * u);
    }
    return values;
  }

 private:
  double rate_;
};

// Rounding errors of the terms, 1e-16 times 1e5, are a millionth of the response after the fast
// motion. They are no state.
TEST(Rounding, OfLargeTermsIsFittedByNoState) {
  for (const double stiff_rate : {1e3, 1e4, 1e5}) {
    StiffForce force(stiff_rate);
    IdentificationOptions options;
    options.input_sizes = {1};
    options.shortest_step = 5e-9;
    options.duration = 1.25;
    options.least_duration = 5e-3;
    const Identification found = identify(force, options);
    ASSERT_TRUE(found.system) << found.note;
    EXPECT_EQ(found.system->states(), 1u) << stiff_rate;
    EXPECT_NEAR(found.system->a(0, 0) / (-0.5 - stiff_rate), 1, 1e-6) << stiff_rate;
  }
}

}  // namespace
}  // namespace tutti::stability
