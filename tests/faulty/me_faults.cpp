// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cfenv>
#include <cmath>
#include <limits>
#include <stdexcept>

/// x' = u, y = x, and a fault of the equations from t = 0.5 on: 1: an error, 2: a crash, 3: a
/// discard, 4: NaN, 5: an error in event mode, which a time event starts, 6: an event that never
/// ends, 7: the end of the run, 8: an error in initialization, 9: another rounding mode.
class MeFaults final : public fmukit::Model {
 public:
  double u = 0, x = 1, dx = 0, y = 0;
  int fault = 0;

  static void describe(fmukit::Description<MeFaults>& d) {
    d.text("Misbehaves in model exchange").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("fault", &MeFaults::fault);
    d.input("u", &MeFaults::u);
    d.local("x", &MeFaults::x);
    d.local("der(x)", &MeFaults::dx).derivative_of("x").depends_on({"u"});
    d.output("y", &MeFaults::y).depends_on({"x"});
  }
  void initialize() override {
    if (fault == 8) throw std::runtime_error("no start values");
  }
  void derivatives() override {
    dx = u;
    if (time < 0.5) return;
    if (fault == 1) throw std::runtime_error("out of range");
    if (fault == 2) {
      volatile int* volatile nowhere = nullptr;
      *nowhere = 1;
    }
    if (fault == 3) throw fmukit::Discard("not here");
    if (fault == 4) dx = std::numeric_limits<double>::quiet_NaN();
    if (fault == 9) std::fesetround(FE_UPWARD);
  }
  void outputs() override { y = x; }
  void update_discrete_states(fmukit::EventInfo& event) override {
    if (time < 0.5) {
      event.next_time = 0.5;
      return;
    }
    if (fault == 5) throw std::runtime_error("no next state");
    if (fault == 6) event.repeat = true;
    if (fault == 7) request_termination();
  }
};

FMUKIT_EXPORT(MeFaults)
