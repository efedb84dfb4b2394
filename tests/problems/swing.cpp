// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include <fmukit/model.hpp>

/// x' = v, v' = -100 sin x + u, y = x v + u^2 + cos(3 t): an output that depends on state, input
/// and time, none of them linearly.
class Swing final : public fmukit::Model {
 public:
  double u = 0, x = 1, v = 0, dx = 0, dv = 0, y = 0;

  static void describe(fmukit::Description<Swing>& d) {
    d.text("A pendulum that is pushed").default_experiment({.stop = 1, .step = 0.1});
    d.internal_step(0.005);
    d.input("u", &Swing::u);
    d.output("x", &Swing::x);
    d.output("v", &Swing::v);
    d.local("der(x)", &Swing::dx).derivative_of("x");
    d.local("der(v)", &Swing::dv).derivative_of("v");
    d.output("y", &Swing::y);
  }
  void derivatives() override {
    dx = v;
    dv = -100 * std::sin(x) + u;
  }
  void outputs() override { y = x * v + u * u + std::cos(3 * time); }
};

FMUKIT_EXPORT(Swing)
