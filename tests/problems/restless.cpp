// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// x' = 1, with time events that make no sense: each asks for the next after a rounding error.
class Restless final : public fmukit::Model {
 public:
  double x = 0, dx = 0;

  static void describe(fmukit::Description<Restless>& d) {
    d.text("Asks for senseless time events")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.output("x", &Restless::x);
    d.local("der(x)", &Restless::dx).derivative_of("x");
  }
  void derivatives() override { dx = 1; }
  void update_discrete_states(fmukit::EventInfo& event) override { event.next_time = time + 1e-14; }
};

FMUKIT_EXPORT(Restless)
