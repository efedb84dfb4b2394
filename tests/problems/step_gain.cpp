// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// y = k u + b after a step of its own: the FMU saves states, but has no directional derivatives.
class StepGain final : public fmukit::Model {
 public:
  double u = 0, y = 0, k = 1, b = 0;

  static void describe(fmukit::Description<StepGain>& d) {
    d.text("A gain and an offset in a step of its own")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("k", &StepGain::k);
    d.parameter("b", &StepGain::b);
    d.input("u", &StepGain::u);
    d.output("y", &StepGain::y).depends_on({"u"});
  }
  void outputs() override { y = k * u + b; }
  fmukit::StepResult do_step(double /*h*/) override { return {}; }
};

FMUKIT_EXPORT(StepGain)
