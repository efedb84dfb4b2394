// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// x' = 1, and after every integrator step that ends at or behind x = 1 a step event takes 1 off:
/// the number of jumps depends on the steps, which is what step events are for.
class Saw final : public fmukit::Model {
 public:
  double x = 0, dx = 0;
  int jumps = 0;

  static void describe(fmukit::Description<Saw>& d) {
    d.text("A saw tooth made of step events")
        .default_experiment({.start = 0, .stop = 5, .step = 0.25});
    d.output("x", &Saw::x).reinit();
    d.local("der(x)", &Saw::dx).derivative_of("x").depends_on({});
    d.output("jumps", &Saw::jumps).exact();
  }

  void derivatives() override { dx = 1; }
  bool completed_integrator_step() override { return x >= 1; }
  void update_discrete_states(fmukit::EventInfo& event) override {
    if (x < 1) return;
    x -= 1;
    ++jumps;
    event.repeat = x >= 1;
  }
};

FMUKIT_EXPORT(Saw)
