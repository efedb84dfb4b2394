// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// on = u > level, as of the last event: nothing but the event indicator sees that u crosses it.
class Relay final : public fmukit::Model {
 public:
  double u = 0, y = 0, z = 0, level = 0.5;
  bool on = false, ends = false;
  int changes = 0;

  static void describe(fmukit::Description<Relay>& d) {
    d.text("Switches where its input crosses a level")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &Relay::u);
    d.parameter("level", &Relay::level);
    d.parameter("ends", &Relay::ends).text("the run, when it is switched on");
    d.output("on", &Relay::on).exact().depends_on({});
    d.output("y", &Relay::y).text("1 if it is on, else 0").depends_on({});
    d.output("changes", &Relay::changes).exact().depends_on({});
    d.local("z", &Relay::z).event_indicator();
  }
  void outputs() override {
    y = on ? 1 : 0;
    z = u - level;
  }
  void update_discrete_states(fmukit::EventInfo&) override {
    if (on == (u > level)) return;
    on = !on;
    ++changes;
    if (on && ends) request_termination();
  }
};

FMUKIT_EXPORT(Relay)
