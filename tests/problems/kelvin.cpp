// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// T = k u + b, where the input counts in degrees Celsius and the output in kelvin.
class Kelvin final : public fmukit::Model {
 public:
  double u = 0, T = 0, k = 1, b = 0;

  static void describe(fmukit::Description<Kelvin>& d) {
    d.text("An input in another unit").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("k", &Kelvin::k);
    d.parameter("b", &Kelvin::b);
    d.input("u", &Kelvin::u).unit("degC");
    d.output("T", &Kelvin::T).unit("K").depends_on({"u"});
  }
  void outputs() override { T = k * u + b; }
};

FMUKIT_EXPORT(Kelvin)
