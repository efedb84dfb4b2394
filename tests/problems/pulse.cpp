// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <algorithm>
#include <cmath>

/// A co-simulation step of its own with all that FMI 3 offers inside a step: y integrates u by the
/// rectangle rule in `parts` internal steps, shows y after each and takes a new u; at t = 0.5, 1.5,
/// 2.5... it stops early with an event, in which the level goes up by 1.
class Pulse final : public fmukit::Model {
 public:
  double u = 0, y = 0;
  int level = 0, parts = 4;

  static void describe(fmukit::Description<Pulse>& d) {
    d.text("Events, early return and intermediate updates in a step of its own")
        .default_experiment({.start = 0, .stop = 3, .step = 0.2});
    d.promises().event_mode = true;
    d.promises().early_return = true;
    d.promises().intermediate_updates = true;
    d.promises().asks_for_inputs = true;
    d.input("u", &Pulse::u);
    d.output("y", &Pulse::y).exact().depends_on({});
    d.output("level", &Pulse::level).exact().depends_on({});
    d.parameter("parts", &Pulse::parts).text("internal steps per communication step").min(1);
  }

  fmukit::StepResult do_step(double h) override {
    const double begin = time, event = level + 0.5, end = std::min(begin + h, event);
    double t = begin;
    for (int k = 1; k <= parts; ++k) {
      const double next = k < parts ? begin + (end - begin) * k / parts : end;
      y += (next - t) * u;
      t = next;
      if (t < begin + h && intermediate_update(t)) return fmukit::StepResult::early_return(t);
    }
    return end == event ? fmukit::StepResult::event_at(end) : fmukit::StepResult{};
  }

  void update_discrete_states(fmukit::EventInfo& event) override {
    if (time >= level + 0.5) ++level;
    event.next_time = level + 0.5;
  }
};

FMUKIT_EXPORT(Pulse)
