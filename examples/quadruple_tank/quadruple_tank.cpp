// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "models/example_model.hpp"

/// Two pumps, two lower tanks, and two upper ones above them, see README.md.
class Tank final : public fmukit::Model {
 public:
  double u1 = 0, u2 = 0;
  double a1 = 3e-6, a2 = 3e-6, a3 = 3e-6, a4 = 3e-6;
  double area = 4.9e-4, pump = 0.56e-6, split = 0.3;
  double x1 = 0.0627, x2 = 0.06044, x3 = 0.024, x4 = 0.023;
  double dx1 = 0, dx2 = 0, dx3 = 0, dx4 = 0;

  static void describe(fmukit::Description<Tank>& d) {
    d.text("Quadruple tank").default_experiment({.stop = 60, .step = 1});
    d.internal_step(0.1);
    d.input("u1", &Tank::u1).text("voltage of pump 1").unit("V");
    d.input("u2", &Tank::u2).text("voltage of pump 2").unit("V");
    outlet(d, "a1", &Tank::a1);
    outlet(d, "a2", &Tank::a2);
    outlet(d, "a3", &Tank::a3);
    outlet(d, "a4", &Tank::a4);
    d.parameter("A", &Tank::area).text("cross section of a tank").unit("m2").min(1e-9);
    d.parameter("k", &Tank::pump).text("flow of a pump per voltage").unit("m3/(s.V)");
    d.parameter("gamma", &Tank::split).text("part of the flow to the lower tank").min(0).max(1);
    level(d, "x1", &Tank::x1, "der(x1)", &Tank::dx1);
    level(d, "x2", &Tank::x2, "der(x2)", &Tank::dx2);
    level(d, "x3", &Tank::x3, "der(x3)", &Tank::dx3);
    level(d, "x4", &Tank::x4, "der(x4)", &Tank::dx4);
  }

  void derivatives() override {
    const double upper = 1 - split;
    dx1 = (-out(a1, x1) + out(a3, x3) + split * pump * u1) / area;
    dx2 = (-out(a2, x2) + out(a4, x4) + split * pump * u2) / area;
    dx3 = (-out(a3, x3) + upper * pump * u2) / area;
    dx4 = (-out(a4, x4) + upper * pump * u1) / area;
  }

 private:
  static void outlet(fmukit::Description<Tank>& d, const char* name, double Tank::*member) {
    d.parameter(name, member).text("cross section of the outlet").unit("m2").nominal(1e-6);
  }
  static void level(fmukit::Description<Tank>& d, const std::string& name, double Tank::*member,
                    const std::string& slope, double Tank::*derivative) {
    d.output(name, member).text("level").unit("m").nominal(0.01).depends_on({name});
    d.local(slope, derivative).derivative_of(name).unit("m/s");
  }

  /// Torricelli's law; nothing flows out of an empty tank.
  static double out(double hole, double level) {
    constexpr double gravity = 9.81;
    return hole * std::sqrt(2 * gravity * std::max(level, 0.0));
  }
};

EXAMPLE_MODEL(Tank)
