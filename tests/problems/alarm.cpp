// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <fmukit/model.hpp>

/// Everything that an FMU with an event mode may want at a communication point: when u has become
/// positive, it plans an event, or asks to end the run; and it has an event of its own inside a
/// step. Its output follows u at once, and no derivatives tell how.
class Alarm final : public fmukit::Model {
 public:
  double u = 0, y = 0;
  double delay = 0, own = 1e9;
  bool ends = false;
  double due = 0;  ///< 0: nothing is planned
  double rang = 0;
  int level = 0;

  static void describe(fmukit::Description<Alarm>& d) {
    d.text("Plans events, or asks to end the run")
        .default_experiment({.start = 0, .stop = 1, .step = 0.05});
    d.promises().event_mode = true;
    d.promises().early_return = true;
    d.input("u", &Alarm::u);
    d.parameter("delay", &Alarm::delay);
    d.parameter("own", &Alarm::own);
    d.parameter("ends", &Alarm::ends);
    d.output("y", &Alarm::y).depends_on({"u"});
    d.output("rang", &Alarm::rang).exact().depends_on({});
    d.output("level", &Alarm::level).exact().depends_on({});
  }
  void outputs() override { y = 0.5 * u + level; }
  fmukit::StepResult do_step(double h) override {
    if (level > 0 || time + h < own) return {};
    return fmukit::StepResult::event_at(own);
  }
  void update_discrete_states(fmukit::EventInfo& info) override {
    if (time >= own) level = 1;
    if (due > 0 && time >= due) {
      rang = time;
      due = 0;
    } else if (u > 0 && due == 0 && rang == 0 && delay > 0) {
      due = time + delay;
    }
    if (due > 0) info.next_time = due;
    if (ends && u > 0) request_termination();
  }
};
FMUKIT_EXPORT(Alarm)
