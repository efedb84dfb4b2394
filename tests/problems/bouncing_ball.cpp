// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>

/// A ball falls, h'' = g, and loses a part of its speed whenever it touches the ground; once slow
/// enough it stays there.
class BouncingBall final : public fmukit::Model {
 public:
  double h = 1, v = 0, dh = 0, dv = 0;
  double g = -9.81, e = 0.7, v_min = 0.1;
  bool at_rest = false;

  static void describe(fmukit::Description<BouncingBall>& d) {
    d.text("A ball that bounces on the ground")
        .default_experiment({.start = 0, .stop = 3, .step = 0.01});
    d.internal_step(0.001);
    d.output("h", &BouncingBall::h)
        .text("height")
        .unit("m")
        .reinit()
        .event_indicator()
        .depends_on({"h"});
    d.local("der(h)", &BouncingBall::dh).derivative_of("h").unit("m/s");
    d.output("v", &BouncingBall::v).text("velocity").unit("m/s").reinit().depends_on({"v"});
    d.local("der(v)", &BouncingBall::dv).derivative_of("v").unit("m/s2");
    d.parameter("g", &BouncingBall::g).text("gravity").unit("m/s2");
    d.parameter("e", &BouncingBall::e)
        .text("part of the speed that is kept")
        .min(0)
        .max(1)
        .tunable();
    d.constant("v_min", &BouncingBall::v_min).text("speed at which it stays").unit("m/s");
    d.local("at_rest", &BouncingBall::at_rest).exact();
  }

  void derivatives() override {
    dh = at_rest ? 0 : v;
    dv = at_rest ? 0 : g;
  }

  void update_discrete_states(fmukit::EventInfo&) override {
    if (h > 0 || v > 0 || at_rest) return;
    log(fmukit::Log::event, "bounce at t = %g with v = %g", time, v);
    h = 0x1p-1022;  // the smallest normal number: on the ground, and above it for the indicator
    v = -e * v;
    if (v < v_min) {
      v = 0;
      at_rest = true;
    }
  }
};

FMUKIT_EXPORT(BouncingBall)
