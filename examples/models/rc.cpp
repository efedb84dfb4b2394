// SPDX-License-Identifier: BSD-2-Clause
// A capacitor, x' = -i, fed from a source u(t) through a resistor of which a part R belongs to it.
#include "models/example_model.hpp"

#include <cmath>

/// 0 before t = 2, then 4, from t = 4 on 2; a billionth of a second before counts as the time
/// itself, so that rounding of the clock does not move a jump by a step
double source(double t) { return t < 2 - 1e-9 ? 0 : t < 4 - 1e-9 ? 4 : 2; }

/// in i, out y = u + (1 - R) i
class SourceVoltage final : public fmukit::Model {
 public:
  double R = 0.001, i = 0, y = 0;
  static void describe(fmukit::Description<SourceVoltage>& d) {
    d.text("y = u(t) + (1 - R) i");
    d.parameter("R", &SourceVoltage::R);
    d.input("i", &SourceVoltage::i);
    d.output("y", &SourceVoltage::y).depends_on({"i", "time", "R"});
  }
  void outputs() override { y = source(time) + i * (1 - R); }
};

/// in x, out i = x - u
class SourceCurrent final : public fmukit::Model {
 public:
  double x = 0, i = 0;
  static void describe(fmukit::Description<SourceCurrent>& d) {
    d.text("i = x - u(t)");
    d.input("x", &SourceCurrent::x);
    d.output("i", &SourceCurrent::i).depends_on({"x", "time"});
  }
  void outputs() override { i = x - source(time); }
};

/// in y, out i = (x - y)/R; x' = -i
class Capacitor final : public fmukit::Model {
 public:
  double R = 0.001, y = 0, i = 0, x = 2, dx = 0;
  static void describe(fmukit::Description<Capacitor>& d) {
    d.text("i = (x - y)/R, x' = -i").internal_step(2.5e-5);  // R/40: exact to 1e-8
    d.parameter("R", &Capacitor::R).min(1e-3);
    d.input("y", &Capacitor::y);
    d.output("i", &Capacitor::i).depends_on({"y", "x", "R"});
    d.output("x", &Capacitor::x).depends_on({"x"});
    d.local("der(x)", &Capacitor::dx).derivative_of("x").depends_on({"y", "x", "R"});
  }
  void derivatives() override {
    i = (x - y) / R;
    dx = -i;
  }
};

/// x' = -(x - u), i = x - u
class Reference final : public fmukit::Model {
 public:
  double x = 2, i = 0;
  static void describe(fmukit::Description<Reference>& d) {
    d.text("x' = u - x, i = x - u: the whole circuit, piece by piece");
    d.output("f2.x", &Reference::x);
    d.output("f1.i", &Reference::i);
    d.output("f2.i", [](Reference& m) -> double& { return m.i; });
  }
  void outputs() override {
    const double at_2 = 2 * std::exp(-2), at_4 = 4 + (at_2 - 4) * std::exp(-2);
    x = time < 2   ? 2 * std::exp(-time)
        : time < 4 ? 4 + (at_2 - 4) * std::exp(2 - time)
                   : 2 + (at_4 - 2) * std::exp(4 - time);
    i = x - source(time);
  }
};

EXAMPLE_MODEL(SourceVoltage)
EXAMPLE_MODEL(SourceCurrent)
EXAMPLE_MODEL(Capacitor)
EXAMPLE_MODEL(Reference)
