// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <stdexcept>

/// x' = 1 with a time event that must be hit, and a state event at x = 4e-4, at which it asks to
/// end the run: whoever asks it for anything afterwards gets an error.
class EndsAtEvent final : public fmukit::Model {
 public:
  static constexpr double event_time = 2.5e-4, threshold = 4e-4;
  double x = 0, dx = 0, z = 0;
  bool switched = false, ended = false;

  static void describe(fmukit::Description<EndsAtEvent>& d) {
    d.text("Asks to end the run at a state event").default_experiment({.start = 0, .stop = 1});
    d.output("x", &EndsAtEvent::x);
    d.local("der(x)", &EndsAtEvent::dx).derivative_of("x");
    d.local("z", &EndsAtEvent::z).event_indicator();
    d.output("switched", &EndsAtEvent::switched).exact();
  }
  void derivatives() override {
    if (ended) throw std::runtime_error("asked for values after the end");
    if (time > event_time && !switched) throw std::runtime_error("the time event was missed");
    dx = 1;
    z = x - threshold;
  }
  void update_discrete_states(fmukit::EventInfo& event) override {
    if (time == event_time) switched = true;
    if (!switched) event.next_time = event_time;
    if (x <= threshold) return;
    ended = true;
    request_termination();
  }
};

FMUKIT_EXPORT(EndsAtEvent)
