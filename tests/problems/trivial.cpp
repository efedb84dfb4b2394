// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// A step of a few instructions: y integrates u by the rectangle rule.
class Trivial final : public fmukit::Model {
 public:
  double u = 0, y = 0;

  static void describe(fmukit::Description<Trivial>& d) {
    d.text("A step of a few instructions").default_experiment({.stop = 1, .step = 0.001});
    d.input("u", &Trivial::u);
    d.output("y", &Trivial::y).exact().depends_on({});
  }
  fmukit::StepResult do_step(double h) override {
    y += h * u;
    return {};
  }
};

FMUKIT_EXPORT(Trivial)
