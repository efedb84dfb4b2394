// SPDX-License-Identifier: BSD-2-Clause
#include "models/example_model.hpp"
#include "models/line_port.hpp"

/// As the figures assume.
constexpr double internal_step = 1e-5;
constexpr double on_the_mass = -1;  ///< sign of the force of the line on a mass

/// Two masses. The line acts on the first one; a spring connects it with the second one, which
/// another spring connects with the ground. Both are damped against the ground.
template <class Port>
class LeftMasses final : public fmukit::Model {
 public:
  double m = 0.005, damping = 0.2, spring = 90, ground_spring = 141;
  Port port;
  double x = 0, v = 0, x2 = 0, v2 = 0, dx = 0, dv = 0, dx2 = 0, dv2 = 0;

  static void describe(fmukit::Description<LeftMasses>& d) {
    d.text("Two masses on springs").default_experiment({.stop = 0.5, .step = 2e-4});
    d.internal_step(internal_step);
    d.parameter("m", &LeftMasses::m).unit("kg").min(1e-6);
    d.parameter("d", &LeftMasses::damping).unit("N.s/m");
    d.parameter("k", &LeftMasses::spring).unit("N/m");
    d.parameter("k_ground", &LeftMasses::ground_spring).unit("N/m");
    Port::describe(d, [](LeftMasses& masses) -> Port& { return masses.port; },
                   {{"f"}, {"N"}, {""}});
    d.output("v", &LeftMasses::v).unit("m/s").depends_on({"v"});
    d.output("x", &LeftMasses::x).unit("m").depends_on({"x"});
    d.local("v2", &LeftMasses::v2).unit("m/s");
    d.local("x2", &LeftMasses::x2).unit("m");
    d.local("der(x)", &LeftMasses::dx).derivative_of("x").unit("m/s");
    d.local("der(v)", &LeftMasses::dv).derivative_of("v").unit("m/s2");
    d.local("der(x2)", &LeftMasses::dx2).derivative_of("x2").unit("m/s");
    d.local("der(v2)", &LeftMasses::dv2).derivative_of("v2").unit("m/s2");
  }
  void derivatives() override {
    const double line = port.effort(0, on_the_mass, v, time, step_start());
    dx = v;
    dv = (line - damping * v - spring * (x - x2)) / m;
    dx2 = v2;
    dv2 = (-damping * v2 + spring * (x - x2) - ground_spring * x2) / m;
  }
};

/// A damped mass on the line, which a force pushes from a time on.
template <class Port>
class RightMass final : public fmukit::Model {
 public:
  double m = 0.005, damping = 0.2, push = -100, push_time = 0.1;
  Port port;
  double x = 0, v = 0, dx = 0, dv = 0;
  double force = 0;  ///< changes at an event, so that no internal step sees two values

  static void describe(fmukit::Description<RightMass>& d) {
    d.text("A mass that is pushed").default_experiment({.stop = 0.5, .step = 2e-4});
    d.internal_step(internal_step);
    d.parameter("m", &RightMass::m).unit("kg").min(1e-6);
    d.parameter("d", &RightMass::damping).unit("N.s/m");
    d.parameter("push", &RightMass::push).unit("N");
    d.parameter("push_time", &RightMass::push_time).unit("s");
    Port::describe(d, [](RightMass& mass) -> Port& { return mass.port; }, {{"f"}, {"N"}, {""}});
    d.output("v", &RightMass::v).unit("m/s").depends_on({"v"});
    d.output("x", &RightMass::x).unit("m").depends_on({"x"});
    d.local("force", &RightMass::force).unit("N").discrete();
    d.local("der(x)", &RightMass::dx).derivative_of("x").unit("m/s");
    d.local("der(v)", &RightMass::dv).derivative_of("v").unit("m/s2");
  }
  void update_discrete_states(fmukit::EventInfo& e) override {
    force = time >= push_time ? push : 0;
    if (time < push_time) e.next_time = push_time;
  }
  void derivatives() override {
    const double line = port.effort(0, on_the_mass, v, time, step_start());
    dx = v;
    dv = (line - damping * v + force) / m;
  }
};

using Left = LeftMasses<EffortPort<1>>;
using LeftWave = LeftMasses<WavePort<1>>;
using LeftTable = LeftMasses<TablePort<1>>;
using Right = RightMass<EffortPort<1>>;
using RightWave = RightMass<WavePort<1>>;
using RightTable = RightMass<TablePort<1>>;

EXAMPLE_MODEL(Left)
EXAMPLE_MODEL(LeftWave)
EXAMPLE_MODEL(LeftTable)
EXAMPLE_MODEL(Right)
EXAMPLE_MODEL(RightWave)
EXAMPLE_MODEL(RightTable)
