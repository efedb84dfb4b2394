// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// y' = gain, y(0) = offset.
class TunableGain final : public fmukit::Model {
 public:
  double gain = 1, offset = 0, y = 0, dy = 0;

  static void describe(fmukit::Description<TunableGain>& d) {
    d.text("Integral of a tunable parameter")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("gain", &TunableGain::gain).tunable();
    d.parameter("offset", &TunableGain::offset);
    d.output("y", &TunableGain::y).calculated();
    d.local("der(y)", &TunableGain::dy).derivative_of("y");
  }
  void initialize() override { y = offset; }
  void derivatives() override { dy = gain; }
};

FMUKIT_EXPORT(TunableGain)
