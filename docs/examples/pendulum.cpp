// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>

/// A pendulum with friction that is pushed: length phi'' = -g sin(phi) - friction phi' + push.
class Pendulum final : public fmukit::Model {
 public:
  double length = 1, friction = 0.1;  // parameters
  double push = 0;                    // input
  double phi = 0.5, omega = 0;        // states
  double dphi = 0, domega = 0;        // their derivatives
  double height = 0;                  // output

  static void describe(fmukit::Description<Pendulum>& d) {
    d.text("A pendulum with friction").default_experiment({.stop = 10, .step = 0.01});
    d.internal_step(0.001);
    d.parameter("length", &Pendulum::length).unit("m").min(0.01);
    d.parameter("friction", &Pendulum::friction).unit("m/s");
    d.input("push", &Pendulum::push).unit("m/s2");
    d.output("phi", &Pendulum::phi).text("angle").unit("rad");
    d.local("der(phi)", &Pendulum::dphi).derivative_of("phi").unit("rad/s");
    d.local("omega", &Pendulum::omega).text("angular velocity").unit("rad/s");
    d.local("der(omega)", &Pendulum::domega).derivative_of("omega").unit("rad/s2");
    d.output("height", &Pendulum::height).unit("m").depends_on({"phi", "length"});
  }
  void derivatives() override {
    dphi = omega;
    domega = (-9.81 * std::sin(phi) - friction * omega + push) / length;
  }
  void outputs() override { height = length * (1 - std::cos(phi)); }
};

FMUKIT_EXPORT(Pendulum)
