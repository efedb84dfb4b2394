// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// An event where a step starts: at the first that finds u above 0.5, the step ends at once, and in
/// the event `rings` becomes 1. Otherwise y integrates u.
class Doorbell final : public fmukit::Model {
 public:
  double u = 0, y = 0;
  int key = 0;  ///< a discrete input, for which event mode is used
  bool is_pressed = false;
  int rings = 0;

  static void describe(fmukit::Description<Doorbell>& d) {
    d.text("Finds an event at the start of a step")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.promises().event_mode = true;
    d.promises().early_return = true;
    d.input("u", &Doorbell::u);
    d.input("key", &Doorbell::key);
    d.output("y", &Doorbell::y).exact().depends_on({});
    d.output("rings", &Doorbell::rings).exact().depends_on({});
    d.memory(&Doorbell::is_pressed);
  }
  fmukit::StepResult do_step(double h) override {
    if (u > 0.5 && rings == 0) {
      is_pressed = true;
      return fmukit::StepResult::event_at(time);
    }
    y += h * u;
    return {};
  }
  void update_discrete_states(fmukit::EventInfo&) override {
    if (is_pressed) rings = 1;
  }
};

FMUKIT_EXPORT(Doorbell)
