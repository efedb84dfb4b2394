// SPDX-License-Identifier: BSD-2-Clause
#include "models/example_model.hpp"

/// A quarter of a car: m_c chassis, m_w wheel, between them spring k_c and damper d_c; the tyre is
/// spring k_w and damper d_w on a road whose height is `road` from t = 0 on.
struct Data {
  double m_c = 400, m_w = 40;         // kg
  double k_c = 15000, k_w = 150'000;  // N/m
  double d_c = 1000, d_w = 0;         // N.s/m
  double road = 0.1;                  // m

  double chassis_acceleration(double x_c, double v_c, double x_w, double v_w) const {
    return (k_c * (x_w - x_c) + d_c * (v_w - v_c)) / m_c;
  }
  double wheel_acceleration(double x_c, double v_c, double x_w, double v_w) const {
    return (k_w * (road - x_w) - d_w * v_w - k_c * (x_w - x_c) - d_c * (v_w - v_c)) / m_w;
  }
};

/// The fastest motion, 63 rad/s, is integrated to 1e-9 with this step.
constexpr double internal_step = 1e-4;

/// x'' = chassis_acceleration, where the wheel is an input.
class Chassis final : public fmukit::Model {
 public:
  Data data;
  double x_wheel = 0, v_wheel = 0;
  double x = 0, v = 0, dx = 0, dv = 0;

  static void describe(fmukit::Description<Chassis>& d) {
    d.text("Chassis of a quarter car").default_experiment({.stop = 4, .step = 1e-3});
    d.internal_step(internal_step);
    d.parameter("m_c", [](Chassis& c) -> double& { return c.data.m_c; }).unit("kg").min(1);
    d.parameter("k_c", [](Chassis& c) -> double& { return c.data.k_c; }).unit("N/m");
    d.parameter("d_c", [](Chassis& c) -> double& { return c.data.d_c; }).unit("N.s/m");
    d.memory(&Chassis::data);  // with what is of no use here: the state can be serialized
    d.input("x_wheel", &Chassis::x_wheel).unit("m");
    d.input("v_wheel", &Chassis::v_wheel).unit("m/s");
    d.output("x", &Chassis::x).text("height over rest").unit("m").depends_on({"x"});
    d.output("v", &Chassis::v).text("its speed").unit("m/s").depends_on({"v"});
    d.local("der(x)", &Chassis::dx).derivative_of("x").unit("m/s").depends_on({"v"});
    d.local("der(v)", &Chassis::dv)
        .derivative_of("v")
        .unit("m/s2")
        .depends_on({"x", "v", "x_wheel", "v_wheel", "m_c", "k_c", "d_c"});
  }
  void derivatives() override {
    dx = v;
    dv = data.chassis_acceleration(x, v, x_wheel, v_wheel);
  }
};

/// x'' = wheel_acceleration, where the chassis is an input.
class Wheel final : public fmukit::Model {
 public:
  Data data;
  double x_chassis = 0, v_chassis = 0;
  double x = 0, v = 0, dx = 0, dv = 0;

  static void describe(fmukit::Description<Wheel>& d) {
    d.text("Wheel of a quarter car").default_experiment({.stop = 4, .step = 1e-3});
    d.internal_step(internal_step);
    d.parameter("m_w", [](Wheel& w) -> double& { return w.data.m_w; }).unit("kg").min(1);
    d.parameter("k_w", [](Wheel& w) -> double& { return w.data.k_w; }).unit("N/m");
    d.parameter("d_w", [](Wheel& w) -> double& { return w.data.d_w; }).unit("N.s/m");
    d.parameter("k_c", [](Wheel& w) -> double& { return w.data.k_c; }).unit("N/m");
    d.parameter("d_c", [](Wheel& w) -> double& { return w.data.d_c; }).unit("N.s/m");
    d.parameter("road", [](Wheel& w) -> double& { return w.data.road; })
        .text("height of the road from t = 0 on")
        .unit("m")
        .tunable();
    d.memory(&Wheel::data);
    d.input("x_chassis", &Wheel::x_chassis).unit("m");
    d.input("v_chassis", &Wheel::v_chassis).unit("m/s");
    d.output("x", &Wheel::x).text("height over rest").unit("m").depends_on({"x"});
    d.output("v", &Wheel::v).text("its speed").unit("m/s").depends_on({"v"});
    d.local("der(x)", &Wheel::dx).derivative_of("x").unit("m/s").depends_on({"v"});
    d.local("der(v)", &Wheel::dv)
        .derivative_of("v")
        .unit("m/s2")
        .depends_on(
            {"x", "v", "x_chassis", "v_chassis", "m_w", "k_w", "d_w", "k_c", "d_c", "road"});
  }
  void derivatives() override {
    dx = v;
    dv = data.wheel_acceleration(x_chassis, v_chassis, x, v);
  }
};

/// The whole, not taken apart.
class Reference final : public fmukit::Model {
 public:
  Data data;
  double x_c = 0, v_c = 0, x_w = 0, v_w = 0;
  double dx_c = 0, dv_c = 0, dx_w = 0, dv_w = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("Quarter car, not taken apart").default_experiment({.stop = 4, .step = 1e-3});
    d.internal_step(internal_step);
    d.output("chassis.x", &Reference::x_c).unit("m");
    d.output("chassis.v", &Reference::v_c).unit("m/s");
    d.output("wheel.x", &Reference::x_w).unit("m");
    d.output("wheel.v", &Reference::v_w).unit("m/s");
    d.local("der(chassis.x)", &Reference::dx_c).derivative_of("chassis.x").unit("m/s");
    d.local("der(chassis.v)", &Reference::dv_c).derivative_of("chassis.v").unit("m/s2");
    d.local("der(wheel.x)", &Reference::dx_w).derivative_of("wheel.x").unit("m/s");
    d.local("der(wheel.v)", &Reference::dv_w).derivative_of("wheel.v").unit("m/s2");
  }
  void derivatives() override {
    dx_c = v_c;
    dv_c = data.chassis_acceleration(x_c, v_c, x_w, v_w);
    dx_w = v_w;
    dv_w = data.wheel_acceleration(x_c, v_c, x_w, v_w);
  }
};

EXAMPLE_MODEL(Chassis)
EXAMPLE_MODEL(Wheel)
EXAMPLE_MODEL(Reference)
