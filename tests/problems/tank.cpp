// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>

/// A tank that empties, x' = -sqrt(x) (Torricelli), x = (1 - t/2)^2. Below zero there is no
/// answer: the model refuses to compute there, and a solver has to go back.
class Tank final : public fmukit::Model {
 public:
  double x = 1, dx = 0;

  static void describe(fmukit::Description<Tank>& d) {
    d.text("A tank that empties").default_experiment({.start = 0, .stop = 1.9, .step = 0.1});
    d.output("x", &Tank::x);
    d.local("der(x)", &Tank::dx).derivative_of("x");
  }
  void derivatives() override {
    if (x < 0) throw fmukit::Discard("the level is below the ground");
    dx = -std::sqrt(x);
  }
};

FMUKIT_EXPORT(Tank)
