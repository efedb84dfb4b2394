// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// x' = 0.5 - s, where s is the sign of x as of the last event: from x = 1 it comes to 0 at t = 2
/// and stays there by switching without end (a sliding mode, or chattering).
class Slider final : public fmukit::Model {
 public:
  double x = 1, dx = 0;
  int s = 1;

  static void describe(fmukit::Description<Slider>& d) {
    d.text("Switches without end once x is 0")
        .default_experiment({.start = 0, .stop = 3, .step = 0.1});
    d.output("x", &Slider::x).event_indicator();
    d.local("der(x)", &Slider::dx).derivative_of("x");
    d.output("s", &Slider::s).exact();
  }
  void derivatives() override { dx = 0.5 - s; }
  void update_discrete_states(fmukit::EventInfo&) override { s = x > 0 ? 1 : -1; }
};

FMUKIT_EXPORT(Slider)
