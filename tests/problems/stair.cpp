// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// A counter that goes up by 1 at t = period, 2 period, ... (time events), and asks to end the
/// simulation when it reaches `last`.
class Stair final : public fmukit::Model {
 public:
  int counter = 1;
  int last = 10;
  double period = 1;

  static void describe(fmukit::Description<Stair>& d) {
    d.text("A staircase made of time events")
        .default_experiment({.start = 0, .stop = 10, .step = 0.2});
    d.output("counter", &Stair::counter).exact();
    d.parameter("last", &Stair::last).text("the simulation ends there");
    d.parameter("period", &Stair::period).unit("s").min(1e-6);
  }

  void update_discrete_states(fmukit::EventInfo& event) override {
    // Event n lies at n * period; a simulator may come there with a rounding error.
    while (time >= counter * period * (1 - 1e-12)) {
      ++counter;
      log(fmukit::Log::event, "step %d at t = %.17g", counter, time);
    }
    if (counter >= last) request_termination();
    event.next_time = counter * period;
  }
};

FMUKIT_EXPORT(Stair)
