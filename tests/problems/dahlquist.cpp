// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// Dahlquist's test equation x' = -k x, with the solution x(t) = x(0) exp(-k t). One internal step
/// per communication step, so that the order of the integrator shows.
class Dahlquist final : public fmukit::Model {
 public:
  double x = 1, dx = 0, k = 1;

  static void describe(fmukit::Description<Dahlquist>& d) {
    d.text("Dahlquist's test equation").default_experiment({.start = 0, .stop = 10, .step = 0.1});
    d.output("x", &Dahlquist::x).text("the only state").depends_on({"x"});
    d.local("der(x)", &Dahlquist::dx).derivative_of("x").depends_on({"x", "k"});
    d.parameter("k", &Dahlquist::k).text("decay rate").unit("Hz");
  }

  void derivatives() override { dx = -k * x; }
};

FMUKIT_EXPORT(Dahlquist)
