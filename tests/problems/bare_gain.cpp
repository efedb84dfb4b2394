// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// y = k u + b, at once. It cannot be copied, so the FMU has neither states to save nor directional
/// derivatives.
class BareGain final : public fmukit::Model {
 public:
  double u = 0, y = 0, k = 1, b = 0;

  BareGain() = default;
  BareGain(const BareGain&) = delete;
  BareGain& operator=(const BareGain&) = delete;

  static void describe(fmukit::Description<BareGain>& d) {
    d.text("A gain and an offset, and nothing else")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("k", &BareGain::k);
    d.parameter("b", &BareGain::b);
    d.input("u", &BareGain::u);
    d.output("y", &BareGain::y).depends_on({"u"});
  }
  void outputs() override { y = k * u + b; }
};

FMUKIT_EXPORT(BareGain)
