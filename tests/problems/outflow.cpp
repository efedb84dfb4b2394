// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>

/// A tank with a hole at its bottom (Torricelli): area h' = q - a sqrt(2 g h). With a constant
/// inflow q it settles at h = (q/a)^2/(2 g). Below zero the model refuses to compute.
class Outflow final : public fmukit::Model {
 public:
  double q = 0, flow = 0, h = 0.1, dh = 0, excess = 0;
  double area = 0.5, a = 0.01, valve = 1;
  static constexpr double g = 9.81;

  static void describe(fmukit::Description<Outflow>& d) {
    d.text("A tank with an outflow").default_experiment({.start = 0, .stop = 100, .step = 1});
    d.input("q", &Outflow::q).unit("m3/s").text("inflow");
    d.parameter("area", &Outflow::area).unit("m2");
    d.parameter("a", &Outflow::a).unit("m2").text("area of the hole");
    d.parameter("valve", &Outflow::valve).tunable().text("part of the hole that is open");
    d.output("h", &Outflow::h).unit("m").min(0).max(4).text("level");
    d.local("der(h)", &Outflow::dh).derivative_of("h").unit("m/s").depends_on({"h", "q"});
    d.output("flow", &Outflow::flow).unit("m3/s").text("outflow").depends_on({"h"});
    d.output("excess", &Outflow::excess).unit("m3/s").text("q - flow").depends_on({"h", "q"});
  }
  void derivatives() override {
    outputs();
    dh = excess / area;
  }
  void outputs() override {
    if (h < 0) throw fmukit::Discard("the level is below the bottom");
    flow = valve * a * std::sqrt(2 * g * h);
    excess = q - flow;
  }
};

FMUKIT_EXPORT(Outflow)
