// SPDX-License-Identifier: BSD-2-Clause
// Steps that end where they start, again and again. FAULT, set in CMakeLists.txt, chooses how.
#include <fmukit/model.hpp>

namespace {

enum class Fault { early, event, event_time };
constexpr Fault fault = Fault::FAULT;

/// y integrates u up to t = 0.5, and no further.
class StandsStill final : public fmukit::Model {
 public:
  double u = 1, y = 0;

  static void describe(fmukit::Description<StandsStill>& d) {
    d.text("Does not get beyond t = 0.5").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.promises().event_mode = true;
    d.promises().early_return = true;
    d.input("u", &StandsStill::u);
    d.output("y", &StandsStill::y).exact().depends_on({});
  }
  fmukit::StepResult do_step(double h) override {
    using fmukit::StepResult;
    if (time > 0.45 && fault == Fault::early) return StepResult::early_return(time);
    if (time > 0.45 && fault == Fault::event) return StepResult::event_at(time);
    y += h * u;
    return {};
  }
  void update_discrete_states(fmukit::EventInfo& event) override {
    if (fault == Fault::event_time) event.next_time = time < 0.45 ? 0.5 : time + 1e-14;
  }
};

}  // namespace

FMUKIT_EXPORT(StandsStill)
