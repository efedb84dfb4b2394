// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "models/example_model.hpp"
#include "models/line_port.hpp"

/// As the figures assume.
constexpr double internal_step = 1e-5;
constexpr double on_the_arm = -1;  ///< sign of force and torque of the line on an arm
constexpr double gravity = 9.81;   ///< along -x; x points up, y to the side
constexpr double length = 0.5, mass = 100;
constexpr double inertia =
    mass * length * length / 4;  ///< upper arm: about the hinge; lower: about its centre
constexpr double damping = 20;   ///< N m s/rad, of the absolute rate

/// An arm at the angle phi points to (-sin phi, cos phi): horizontal at 0, and it falls with
/// growing phi.
/// The motion of the port follows from angle and rate, and from what is given of its velocity and
/// place: no force acts on it at once.
template <class Port, class Arm>
void describe_port(fmukit::Description<Arm>& d, const std::vector<fmukit::Dependency>& vx,
                   const std::vector<fmukit::Dependency>& vy,
                   const std::vector<fmukit::Dependency>& x,
                   const std::vector<fmukit::Dependency>& y) {
  Port::describe(d, [](Arm& arm) -> Port& { return arm.port; },
                 {{"fx", "fy", "torque"}, {"N", "N", "N.m"}, {"x", "y", "phi"}});
  d.output("vx", &Arm::port_vx).unit("m/s").depends_on(vx);
  d.output("vy", &Arm::port_vy).unit("m/s").depends_on(vy);
  d.output("w", &Arm::w).unit("rad/s").depends_on({"w"});
  d.output("x", &Arm::port_x).text("of the port").unit("m").depends_on(x);
  d.output("y", &Arm::port_y).text("of the port").unit("m").depends_on(y);
  d.output("angle", &Arm::angle).unit("rad").depends_on({"angle"});
}

/// The arm that a hinge holds at (0, 0); its end is the port.
template <class Port>
class UpperArm final : public fmukit::Model {
 public:
  Port port;
  double angle = 0, w = 0, dangle = 0, dw = 0;
  double port_vx = 0, port_vy = 0, port_x = 0, port_y = length;

  static void describe(fmukit::Description<UpperArm>& d) {
    d.text("Upper arm of a pendulum").default_experiment({.stop = 1, .step = 5e-4});
    d.internal_step(internal_step);
    describe_port<Port>(d, {"angle", "w"}, {"angle", "w"}, {"angle"}, {"angle"});
    d.local("der(angle)", &UpperArm::dangle).derivative_of("angle").unit("rad/s");
    d.local("der(w)", &UpperArm::dw).derivative_of("w").unit("rad/s2");
  }
  void derivatives() override {
    outputs();
    const double start = step_start(), c = std::cos(angle), s = std::sin(angle);
    const double fx = port.effort(0, on_the_arm, port_vx, time, start);
    const double fy = port.effort(1, on_the_arm, port_vy, time, start);
    const double torque = port.effort(2, on_the_arm, w, time, start);
    dangle = w;
    dw = (mass * gravity * length / 2 * c - length * (c * fx + s * fy) - damping * w + torque) /
         inertia;
  }
  void outputs() override {
    port_vx = -length * std::cos(angle) * w;
    port_vy = -length * std::sin(angle) * w;
    port_x = -length * std::sin(angle);
    port_y = length * std::cos(angle);
  }
};

/// The arm that hangs on the line with its start; (x, y) is its centre.
template <class Port>
class LowerArm final : public fmukit::Model {
 public:
  Port port;
  double centre_x = 0, vx = 0, centre_y = 3 * length / 2, vy = 0, angle = 0, w = 0;
  double dx = 0, dvx = 0, dy = 0, dvy = 0, dangle = 0, dw = 0;
  double port_vx = 0, port_vy = 0, port_x = 0, port_y = length, tip_x = 0, tip_y = 2 * length;

  static void describe(fmukit::Description<LowerArm>& d) {
    d.text("Lower arm of a pendulum").default_experiment({.stop = 1, .step = 5e-4});
    d.internal_step(internal_step);
    describe_port<Port>(d, {"centre.vx", "angle", "w"}, {"centre.vy", "angle", "w"},
                        {"centre.x", "angle"}, {"centre.y", "angle"});
    d.output("tip_x", &LowerArm::tip_x).unit("m").depends_on({"centre.x", "angle"});
    d.output("tip_y", &LowerArm::tip_y).unit("m").depends_on({"centre.y", "angle"});
    d.local("centre.x", &LowerArm::centre_x).unit("m");
    d.local("centre.vx", &LowerArm::vx).unit("m/s");
    d.local("centre.y", &LowerArm::centre_y).unit("m");
    d.local("centre.vy", &LowerArm::vy).unit("m/s");
    d.local("der(centre.x)", &LowerArm::dx).derivative_of("centre.x").unit("m/s");
    d.local("der(centre.vx)", &LowerArm::dvx).derivative_of("centre.vx").unit("m/s2");
    d.local("der(centre.y)", &LowerArm::dy).derivative_of("centre.y").unit("m/s");
    d.local("der(centre.vy)", &LowerArm::dvy).derivative_of("centre.vy").unit("m/s2");
    d.local("der(angle)", &LowerArm::dangle).derivative_of("angle").unit("rad/s");
    d.local("der(w)", &LowerArm::dw).derivative_of("w").unit("rad/s2");
  }
  void derivatives() override {
    outputs();
    const double start = step_start();
    const double fx = port.effort(0, on_the_arm, port_vx, time, start);
    const double fy = port.effort(1, on_the_arm, port_vy, time, start);
    const double torque = port.effort(2, on_the_arm, w, time, start);
    dx = vx;
    dvx = fx / mass - gravity;
    dy = vy;
    dvy = fy / mass;
    dangle = w;
    dw = (length / 2 * (std::cos(angle) * fx + std::sin(angle) * fy) - damping * w + torque) /
         inertia;
  }
  void outputs() override {
    const double c = length / 2 * std::cos(angle), s = length / 2 * std::sin(angle);
    port_vx = vx + c * w;
    port_vy = vy + s * w;
    port_x = centre_x + s;
    port_y = centre_y - c;
    tip_x = centre_x - s;
    tip_y = centre_y + c;
  }
};

using Upper = UpperArm<EffortPort<3>>;
using UpperWave = UpperArm<WavePort<3>>;
using UpperTable = UpperArm<TablePort<3>>;
using Lower = LowerArm<EffortPort<3>>;
using LowerWave = LowerArm<WavePort<3>>;
using LowerTable = LowerArm<TablePort<3>>;

EXAMPLE_MODEL(Upper)
EXAMPLE_MODEL(UpperWave)
EXAMPLE_MODEL(UpperTable)
EXAMPLE_MODEL(Lower)
EXAMPLE_MODEL(LowerWave)
EXAMPLE_MODEL(LowerTable)
