// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// y = k u + b, at once.
class Gain final : public fmukit::Model {
 public:
  double u = 0, y = 0, k = 1, b = 0;

  static void describe(fmukit::Description<Gain>& d) {
    d.text("A gain and an offset").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("k", &Gain::k);
    d.parameter("b", &Gain::b);
    d.input("u", &Gain::u);
    d.output("y", &Gain::y).depends_on({"u"});
  }
  void outputs() override { y = k * u + b; }
};

FMUKIT_EXPORT(Gain)
