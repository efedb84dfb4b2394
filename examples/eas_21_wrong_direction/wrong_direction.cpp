// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// A capacitor without a resistor of its own, driven by a voltage: x = y, i = -x'. It needs the
/// derivative of its input, which is no equation of a co-simulation FMU: fmukit refuses it.
class WrongDirection final : public fmukit::Model {
 public:
  double y = 0, dy = 0, i = 0;

  static void describe(fmukit::Description<WrongDirection>& d) {
    d.text("x = y, i = -x'");
    d.input("y", &WrongDirection::y);
    d.local("der(y)", &WrongDirection::dy).derivative_of("y");
    d.output("i", &WrongDirection::i);
  }
  void outputs() override { i = -dy; }
};

FMUKIT_EXPORT(WrongDirection)
