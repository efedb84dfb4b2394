// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "models/example_model.hpp"

/// A pendulum that bounces off a wall, see README.md. The indicator is switched off when it
/// bounces, and on again by a step event when it has turned back.
class Pendulum final : public fmukit::Model {
 public:
  double angle = 1.5707963267948966, speed = 0, dangle = 0, dspeed = 0;
  double restitution = 1, wall = -0.7853981633974483;
  double distance = 0, bounces = 0;
  bool watches_wall = true;

  static void describe(fmukit::Description<Pendulum>& d) {
    d.text("Pendulum and wall").default_experiment({.start = 0, .stop = 10, .step = 0.05});
    d.internal_step(1e-4);
    d.output("angle", &Pendulum::angle).unit("rad").depends_on({"angle"});
    d.local("der(angle)", &Pendulum::dangle).derivative_of("angle").depends_on({"speed"});
    d.output("speed", &Pendulum::speed).unit("rad/s").reinit().depends_on({"speed"});
    d.local("der(speed)", &Pendulum::dspeed).derivative_of("speed").depends_on({"angle"});
    d.parameter("restitution", &Pendulum::restitution).min(0).max(1);
    d.parameter("wall", &Pendulum::wall).unit("rad");
    d.local("distance", &Pendulum::distance).event_indicator();
    d.output("bounces", &Pendulum::bounces).discrete();
    d.local("watches_wall", &Pendulum::watches_wall).exact();
  }

  void derivatives() override {
    dangle = speed;
    dspeed = -gravity * std::sin(angle);
  }
  void outputs() override { distance = watches_wall ? angle - wall : 1; }
  void partials(fmukit::Partials& p) override {
    p(dangle, speed) = 1;
    p(dspeed, angle) = -gravity * std::cos(angle);
    p(angle, angle) = 1;
    p(speed, speed) = 1;
  }

  bool completed_integrator_step() override { return has_turned(); }
  void update_discrete_states(fmukit::EventInfo&) override {
    if (has_turned()) {
      watches_wall = true;
    } else if (watches_wall && angle <= wall) {
      speed *= -restitution;
      watches_wall = false;
      ++bounces;
    }
  }

 private:
  static constexpr double gravity = 9.81;
  bool has_turned() const { return !watches_wall && speed < 0; }
};

EXAMPLE_MODEL(Pendulum)
