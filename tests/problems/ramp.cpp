// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// x' = u + du (t - start of the communication step): the input is a value and its slope.
class Ramp final : public fmukit::Model {
 public:
  double u = 0, du = 0, x = 0, dx = 0;

  static void describe(fmukit::Description<Ramp>& d) {
    d.text("Integral of value and slope").default_experiment({.stop = 1, .step = 0.1});
    d.substeps(4);
    d.input("u", &Ramp::u);
    d.input("du", &Ramp::du);
    d.output("x", &Ramp::x);
    d.local("der(x)", &Ramp::dx).derivative_of("x");
  }
  void derivatives() override { dx = u + du * (time - step_start()); }
};

FMUKIT_EXPORT(Ramp)
