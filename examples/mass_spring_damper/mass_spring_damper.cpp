// SPDX-License-Identifier: BSD-2-Clause
#include "models/example_model.hpp"

/// Two masses of 1 kg between two walls: k1, c1 to the left, k2, c2 between them, k3, c3 to the
/// right.
struct Data {
  double m = 1;                      // kg
  double k1 = 10, k2 = 25, k3 = 50;  // N/m
  double c1 = 1, c2 = 0.1, c3 = 2;   // N.s/m
};

/// 9.3 rad/s are integrated to 1e-9 with this step.
constexpr double internal_step = 1e-3;

/// The left mass, whose inputs are the stretch of the middle spring and its rate.
class Left final : public fmukit::Model {
 public:
  Data data;
  double stretch = 0, rate = 0;
  double x = 0, v = 0, dx = 0, dv = 0;

  static void describe(fmukit::Description<Left>& d) {
    d.text("Left of two masses").default_experiment({.stop = 10, .step = 0.01});
    d.internal_step(internal_step);
    d.input("stretch", &Left::stretch).unit("m");
    d.input("rate", &Left::rate).unit("m/s");
    d.output("x", &Left::x).unit("m").depends_on({"x"});
    d.output("v", &Left::v).unit("m/s").depends_on({"v"});
    d.local("der(x)", &Left::dx).derivative_of("x").unit("m/s").depends_on({"v"});
    d.local("der(v)", &Left::dv)
        .derivative_of("v")
        .unit("m/s2")
        .depends_on({"x", "v", "stretch", "rate"});
  }
  void derivatives() override {
    dx = v;
    dv = (-data.k1 * x - data.c1 * v + data.k2 * stretch + data.c2 * rate) / data.m;
  }
  void partials(fmukit::Partials& p) override {
    p(dx, v) = 1;
    p(dv, x) = -data.k1 / data.m;
    p(dv, v) = -data.c1 / data.m;
    p(dv, stretch) = data.k2 / data.m;
    p(dv, rate) = data.c2 / data.m;
  }
};

/// The right mass with the middle spring, whose left end is an input.
class Right final : public fmukit::Model {
 public:
  Data data;
  double x_left = 0, v_left = 0;
  double x = 0, v = 0, dx = 0, dv = 0, stretch = 0, rate = 0;

  static void describe(fmukit::Description<Right>& d) {
    d.text("Right of two masses").default_experiment({.stop = 10, .step = 0.01});
    d.internal_step(internal_step);
    d.input("x_left", &Right::x_left).unit("m");
    d.input("v_left", &Right::v_left).unit("m/s");
    d.output("x", &Right::x).unit("m").depends_on({"x"});
    d.output("v", &Right::v).unit("m/s").depends_on({"v"});
    d.output("stretch", &Right::stretch).unit("m").depends_on({"x", "x_left"});
    d.output("rate", &Right::rate).unit("m/s").depends_on({"v", "v_left"});
    d.local("der(x)", &Right::dx).derivative_of("x").unit("m/s").depends_on({"v"});
    d.local("der(v)", &Right::dv)
        .derivative_of("v")
        .unit("m/s2")
        .depends_on({"x", "v", "x_left", "v_left"});
  }
  void derivatives() override {
    dx = v;
    dv =
        (-(data.k3 + data.k2) * x - (data.c3 + data.c2) * v + data.k2 * x_left + data.c2 * v_left) /
        data.m;
  }
  void outputs() override {
    stretch = x - x_left;
    rate = v - v_left;
  }
  void partials(fmukit::Partials& p) override {
    p(dx, v) = 1;
    p(dv, x) = -(data.k3 + data.k2) / data.m;
    p(dv, v) = -(data.c3 + data.c2) / data.m;
    p(dv, x_left) = data.k2 / data.m;
    p(dv, v_left) = data.c2 / data.m;
    p(stretch, x) = 1;
    p(stretch, x_left) = -1;
    p(rate, v) = 1;
    p(rate, v_left) = -1;
  }
};

/// The whole
class Reference final : public fmukit::Model {
 public:
  Data data;
  double x1 = 1, v1 = 0, x2 = 0, v2 = 0, dx1 = 0, dv1 = 0, dx2 = 0, dv2 = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("Two masses, not taken apart").default_experiment({.stop = 10, .step = 0.01});
    d.output("left.x", &Reference::x1).unit("m");
    d.output("left.v", &Reference::v1).unit("m/s");
    d.output("right.x", &Reference::x2).unit("m");
    d.output("right.v", &Reference::v2).unit("m/s");
    d.local("der(left.x)", &Reference::dx1).derivative_of("left.x").unit("m/s");
    d.local("der(left.v)", &Reference::dv1).derivative_of("left.v").unit("m/s2");
    d.local("der(right.x)", &Reference::dx2).derivative_of("right.x").unit("m/s");
    d.local("der(right.v)", &Reference::dv2).derivative_of("right.v").unit("m/s2");
  }
  void derivatives() override {
    const double between = data.k2 * (x2 - x1) + data.c2 * (v2 - v1);
    dx1 = v1;
    dv1 = (-data.k1 * x1 - data.c1 * v1 + between) / data.m;
    dx2 = v2;
    dv2 = (-data.k3 * x2 - data.c3 * v2 - between) / data.m;
  }
};

EXAMPLE_MODEL(Left)
EXAMPLE_MODEL(Right)
EXAMPLE_MODEL(Reference)
