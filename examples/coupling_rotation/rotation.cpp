// SPDX-License-Identifier: BSD-2-Clause
#include "models/example_model.hpp"

#include <cmath>
#include <numbers>

constexpr double rpm = std::numbers::pi / 30;  // in rad/s
constexpr double on = 0.2, off = 1;            // s
/// A tenth of the actuator's time constant: exact to 1e-8.
constexpr double internal_step = 2e-5;

double control(double f, double w) {
  const double k = f > 0 ? 1 : 50;
  return 5 * std::tanh(k * (f - w) / 5);
}

/// f = 100 rpm from 0.2 s to 1 s, else 0; a billionth of a second before counts as the time itself,
/// so that rounding of the clock does not move the jump by a step
class Setpoint final : public fmukit::Model {
 public:
  double f = 0;

  static void describe(fmukit::Description<Setpoint>& d) {
    d.text("Set point of a speed").default_experiment({.stop = 2, .step = 1e-3});
    d.output("f", &Setpoint::f).unit("rad/s").depends_on({"time"});
  }
  void outputs() override { f = time >= on - 1e-9 && time < off - 1e-9 ? 100 * rpm : 0; }
};

/// T = 5 tanh(k (f - w)/5), k = 1 where f > 0, else 50
class Controller final : public fmukit::Model {
 public:
  double f = 0, w = 0, T = 0;

  static void describe(fmukit::Description<Controller>& d) {
    d.text("Speed controller, stiff at standstill").default_experiment({.stop = 2, .step = 1e-3});
    d.input("f", &Controller::f).text("set point").unit("rad/s");
    d.input("w", &Controller::w).text("speed").unit("rad/s");
    d.output("T", &Controller::T).text("torque").unit("N.m").depends_on({"f", "w"});
  }
  void outputs() override { T = control(f, w); }
};

/// 0.01 w' = Ta - 0.001 w, 0.0002 Ta' = T - Ta, phi' = w
struct Drive {
  double w = 0, Ta = 0, phi = 0, dw = 0, dTa = 0, dphi = 0, speed = 0;
  void move(double T) {
    dw = (Ta - 0.001 * w) / 0.01;
    dTa = (T - Ta) / 0.0002;
    dphi = w;
    speed = w / rpm;
  }
};

class Plant final : public fmukit::Model {
 public:
  Drive drive;
  double T = 0;

  static void describe(fmukit::Description<Plant>& d) {
    d.text("A shaft and its actuator").default_experiment({.stop = 2, .step = 1e-3});
    d.internal_step(internal_step);
    d.input("T", &Plant::T).unit("N.m");
    d.output("w", [](Plant& m) -> double& { return m.drive.w; }).unit("rad/s").depends_on({"w"});
    d.output("phi", [](Plant& m) -> double& { return m.drive.phi; })
        .unit("rad")
        .depends_on({"phi"});
    d.local("Ta", [](Plant& m) -> double& { return m.drive.Ta; }).unit("N.m");
    d.local("speed", [](Plant& m) -> double& { return m.drive.speed; }).unit("rpm");
    d.local("der(w)", [](Plant& m) -> double& { return m.drive.dw; }).derivative_of("w");
    d.local("der(phi)", [](Plant& m) -> double& { return m.drive.dphi; }).derivative_of("phi");
    d.local("der(Ta)", [](Plant& m) -> double& { return m.drive.dTa; }).derivative_of("Ta");
  }
  void derivatives() override { drive.move(T); }
};

/// The whole, not taken apart; the set point jumps at time events
class Reference final : public fmukit::Model {
 public:
  Drive drive;
  double f = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("Speed control, not taken apart").default_experiment({.stop = 2, .step = 1e-3});
    d.internal_step(internal_step);
    d.local("f", &Reference::f).unit("rad/s").discrete();
    d.local("w", [](Reference& m) -> double& { return m.drive.w; });
    d.local("phi", [](Reference& m) -> double& { return m.drive.phi; });
    d.local("Ta", [](Reference& m) -> double& { return m.drive.Ta; });
    d.local("der(w)", [](Reference& m) -> double& { return m.drive.dw; }).derivative_of("w");
    d.local("der(phi)", [](Reference& m) -> double& { return m.drive.dphi; }).derivative_of("phi");
    d.local("der(Ta)", [](Reference& m) -> double& { return m.drive.dTa; }).derivative_of("Ta");
    d.output("plant.speed", [](Reference& m) -> double& { return m.drive.speed; }).unit("rpm");
  }
  void derivatives() override { drive.move(control(f, drive.w)); }
  void update_discrete_states(fmukit::EventInfo& e) override {
    f = time >= on && time < off ? 100 * rpm : 0;
    if (time < off) e.next_time = time < on ? on : off;
  }
};

EXAMPLE_MODEL(Setpoint)
EXAMPLE_MODEL(Controller)
EXAMPLE_MODEL(Plant)
EXAMPLE_MODEL(Reference)
