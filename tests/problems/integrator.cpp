// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// x' = u, y = 2 x + 3 u: a polynomial input of degree up to 3 is integrated exactly. Steps can be
/// repeated in FMI 1.0.
class Integrator final : public fmukit::Model {
 public:
  double u = 0, x = 0, dx = 0, y = 0;

  static void describe(fmukit::Description<Integrator>& d) {
    d.text("Integral of the input").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.promises().rejects_steps = true;
    d.input("u", &Integrator::u);
    d.local("x", &Integrator::x);
    d.local("der(x)", &Integrator::dx)
        .derivative_of("x")
        .depends_on({{"u", fmukit::DependencyKind::constant}});
    d.output("y", &Integrator::y)
        .depends_on(
            {{"x", fmukit::DependencyKind::constant}, {"u", fmukit::DependencyKind::constant}});
  }

  void derivatives() override { dx = u; }
  void outputs() override { y = 2 * x + 3 * u; }
};

FMUKIT_EXPORT(Integrator)
