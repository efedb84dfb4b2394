// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// The oscillator of van der Pol, x'' = mu (1 - x^2) x' - x, as a system of first order.
class VanDerPol final : public fmukit::Model {
 public:
  double mu = 1;
  double x0 = 2, x1 = 0;
  double dx0 = 0, dx1 = 0;

  static void describe(fmukit::Description<VanDerPol>& d) {
    d.text("Van der Pol oscillator").default_experiment({.start = 0, .stop = 20, .step = 0.01});
    d.internal_step(0.01);
    d.output("x0", &VanDerPol::x0).text("deflection").depends_on({"x0"});
    d.local("der(x0)", &VanDerPol::dx0).derivative_of("x0").depends_on({"x1"});
    d.output("x1", &VanDerPol::x1).text("speed").depends_on({"x1"});
    d.local("der(x1)", &VanDerPol::dx1).derivative_of("x1").depends_on({"x0", "x1", "mu"});
    d.parameter("mu", &VanDerPol::mu).text("damping").min(0);
  }

  void derivatives() override {
    dx0 = x1;
    dx1 = mu * (1 - x0 * x0) * x1 - x0;
  }

  void partials(fmukit::Partials& p) override {
    p(dx0, x1) = 1;
    p(dx1, x0) = -2 * mu * x0 * x1 - 1;
    p(dx1, x1) = mu * (1 - x0 * x0);
    p(dx1, mu) = (1 - x0 * x0) * x1;
  }
};

FMUKIT_EXPORT(VanDerPol)
