// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <string>

#include "models/example_model.hpp"
#include "woodpecker.hpp"

/// The woodpecker toy as a reduced differential equation, see README.md. FMI does not know the
/// direction of an event, so the speeds decide.
class Woodpecker final : public fmukit::Model {
 public:
  double z = 0, phiS = -0.1, phiB = -0.65, v = 0, wS = 0, wB = 0;
  double dz = 0, dphiS = 0, dphiB = 0, dv = 0, dwS = 0, dwB = 0;
  double below = 0, above = 0, off = 0, beak = 0;
  woodpecker::Phase phase = woodpecker::Phase::blocked_below;
  bool was_off = false;  ///< the sign of its force when the sleeve was blocked
  double hits = 0, hit_time = 0, events = 0;

  static void describe(fmukit::Description<Woodpecker>& d) {
    d.text("Woodpecker toy").default_experiment({.start = 0, .stop = 1, .step = 0.002});
    d.internal_step(1e-5);
    state(d, "z", &Woodpecker::z, &Woodpecker::dz, "m");
    state(d, "phiS", &Woodpecker::phiS, &Woodpecker::dphiS, "rad");
    state(d, "phiB", &Woodpecker::phiB, &Woodpecker::dphiB, "rad");
    state(d, "v", &Woodpecker::v, &Woodpecker::dv, "m/s");
    state(d, "wS", &Woodpecker::wS, &Woodpecker::dwS, "rad/s");
    state(d, "wB", &Woodpecker::wB, &Woodpecker::dwB, "rad/s");
    d.local("below", &Woodpecker::below).event_indicator().text("distance to the lower stop");
    d.local("above", &Woodpecker::above).event_indicator().text("distance to the upper stop");
    d.local("off", &Woodpecker::off).event_indicator().text("force that holds the sleeve");
    d.local("beak", &Woodpecker::beak).event_indicator().text("distance of the beak");
    d.output("hits", &Woodpecker::hits).discrete().text("how often the beak has hit the pole");
    d.output("hit_time", &Woodpecker::hit_time).discrete().unit("s").text("of the last hit");
    d.output("events", &Woodpecker::events).discrete().text("changes of phase, and hits");
  }

  void derivatives() override {
    const woodpecker::Motion now = woodpecker::motion(phase, phiS, phiB);
    dz = v;
    dphiS = wS;
    dphiB = wB;
    dv = now.a[0];
    dwS = now.a[1];
    dwB = now.a[2];
  }
  void outputs() override {
    const bool is_free = phase == Phase::free;
    below = is_free ? woodpecker::gap_below(phiS) : 1;
    above = is_free ? woodpecker::gap_above(phiS) : -1;
    off = is_free ? -1 : woodpecker::motion(phase, phiS, phiB).lam1;
    beak = phase == Phase::blocked_above ? woodpecker::beak(phiB) : -1;
  }

  void update_discrete_states(fmukit::EventInfo&) override {
    outputs();
    if (phase == Phase::free) {
      if (below <= 0 && wS < 0 && wB < 0) block_in(Phase::blocked_below);
      if (above > 0 && wS > 0 && wB > 0) block_in(Phase::blocked_above);
    } else if (beak > 0 && wB > 0) {
      change([](auto y) { woodpecker::hit(y); });
      ++hits;
      hit_time = time;
    } else if (phase == Phase::blocked_below ? (off > 0) != was_off : off > 0 && wB < 0) {
      phase = Phase::free;
      ++events;
    }
  }

 private:
  using Phase = woodpecker::Phase;

  static void state(fmukit::Description<Woodpecker>& d, const char* name, double Woodpecker::*x,
                    double Woodpecker::*dx, const char* unit) {
    d.output(name, x).unit(unit).reinit();
    d.local(std::string("der(") + name + ")", dx).derivative_of(name);
  }
  template <class Change>
  void change(const Change& apply) {
    std::array<double, 6> y = {z, phiS, phiB, v, wS, wB};
    apply(y.data());
    v = y[3];
    wS = y[4];
    wB = y[5];
    ++events;
  }
  void block_in(Phase next) {
    phase = next;
    change([](auto y) { woodpecker::block(y); });
    was_off = woodpecker::motion(phase, phiS, phiB).lam1 > 0;
  }
};

EXAMPLE_MODEL(Woodpecker)
