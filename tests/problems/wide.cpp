// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// Trivial with WIDTH variables besides, inputs and outputs in turn, that have nothing to do: for
/// the benchmark.
class Wide final : public fmukit::Model {
 public:
  double u = 0, y = 0;
  std::array<double, WIDTH> more{};

  static void describe(fmukit::Description<Wide>& d) {
    d.text("A step of a few instructions among many variables")
        .default_experiment({.stop = 1, .step = 0.001});
    d.input("u", &Wide::u);
    d.output("y", &Wide::y).exact().depends_on({});
    for (std::size_t i = 0; i < WIDTH; ++i) {
      const auto place = [i](Wide& m) -> double& { return m.more[i]; };
      if (i % 2 == 0)
        d.input("in" + std::to_string(i), place);
      else
        d.output("out" + std::to_string(i), place).exact().depends_on({});
    }
  }
  fmukit::StepResult do_step(double h) override {
    y += h * u;
    return {};
  }
};

FMUKIT_EXPORT(Wide)
