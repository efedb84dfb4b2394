// SPDX-License-Identifier: BSD-2-Clause
// An electric bell with a long clapper: a chain of masses and springs that a magnet pulls against a
// stop. Each impact switches the magnet off for a while.
#include <array>
#include <cstddef>
#include <string>

#include "models/example_model.hpp"

/// Integrates the fastest motion, 200 rad/s, to 1e-8.
constexpr double internal_step = 1e-4;

struct Data {
  double m = 0.1;   // kg
  double k = 1000;  // N/m
  double d = 1;     // N.s/m
};

template <class M>
void describe_data(fmukit::Description<M>& d) {
  d.parameter("m", [](M& e) -> double& { return e.data.m; }).unit("kg").min(1e-3);
  d.parameter("k", [](M& e) -> double& { return e.data.k; }).unit("N/m");
  d.parameter("d", [](M& e) -> double& { return e.data.d; }).unit("N.s/m");
  d.memory(&M::data);
}

/// One mass and the spring on its left: in the motion of the left neighbour and the force of the
/// right one's spring, out the motion and the force of the own spring.
class AnyElement : public fmukit::Model {
 public:
  Data data;
  double x_left = 0, v_left = 0;
  double x = 0, v = 0, dx = 0, dv = 0, s = 0;

 protected:
  template <class M>
  static void describe_element(fmukit::Description<M>& d) {
    d.default_experiment({.stop = 2, .step = 1e-3});
    d.internal_step(internal_step);
    describe_data(d);
    d.input("x_left", &M::x_left).unit("m");
    d.input("v_left", &M::v_left).unit("m/s");
    d.output("x", &M::x).text("displacement").unit("m").depends_on({"x"});
    d.output("v", &M::v).unit("m/s").depends_on({"v"}).reinit();
    d.output("s", &M::s)
        .text("force of the left spring")
        .unit("N")
        .depends_on({"x", "v", "x_left", "v_left", "k", "d"});
    d.local("der(x)", &M::dx).derivative_of("x").unit("m/s").depends_on({"v"});
  }
  void move(double force) {
    s = data.k * (x_left - x) + data.d * (v_left - v);
    dx = v;
    dv = (s + force) / data.m;
  }
  void add_partials(fmukit::Partials& p) const {
    p(x, x) = 1;
    p(v, v) = 1;
    p(dx, v) = 1;
    p(s, x_left) = data.k;
    p(s, x) = -data.k;
    p(s, v_left) = data.d;
    p(s, v) = -data.d;
    p(dv, x_left) = data.k / data.m;
    p(dv, x) = -data.k / data.m;
    p(dv, v_left) = data.d / data.m;
    p(dv, v) = -data.d / data.m;
  }
};

/// In the chain.
class Element final : public AnyElement {
 public:
  double pull = 0;

  static void describe(fmukit::Description<Element>& d) {
    d.text("Mass and spring in a chain");
    describe_element(d);
    d.input("pull", &Element::pull).text("force of the right spring").unit("N");
    d.local("der(v)", &Element::dv)
        .derivative_of("v")
        .unit("m/s2")
        .depends_on({"x", "v", "x_left", "v_left", "pull", "m", "k", "d"});
  }
  void derivatives() override { move(-pull); }
  void partials(fmukit::Partials& p) override {
    add_partials(p);
    p(dv, pull) = -1 / data.m;
  }
};

constexpr double gap = 0.05, restitution = 0.5;
constexpr double rounding = 1e-9;  ///< an event may be located a little before the impact

/// The last one, which bounces off the stop.
class Clapper final : public AnyElement {
 public:
  double force = 0, distance = gap;
  std::int32_t hits = 0;

  static void describe(fmukit::Description<Clapper>& d) {
    d.text("Last mass of a chain, before a stop");
    describe_element(d);
    d.input("force", &Clapper::force).text("of the magnet").unit("N");
    d.output("hits", &Clapper::hits).text("impacts up to now");
    d.local("der(v)", &Clapper::dv)
        .derivative_of("v")
        .unit("m/s2")
        .depends_on({"x", "v", "x_left", "v_left", "force", "m", "k", "d"});
    d.local("distance", &Clapper::distance).unit("m").event_indicator().depends_on({"x"});
  }
  void derivatives() override { move(force); }
  void outputs() override { distance = gap - x; }
  void update_discrete_states(fmukit::EventInfo&) override {
    if (x < gap - rounding || v <= 0) return;
    v *= -restitution;
    ++hits;
  }
  void partials(fmukit::Partials& p) override {
    add_partials(p);
    p(dv, force) = 1 / data.m;
    p(distance, x) = -1;
  }
};

/// Pulls, but for a pause after each impact. Its force changes at events only.
class Magnet final : public fmukit::Model {
 public:
  double pull = 12, pause = 0.06, force = 12;
  double next = -1;  ///< end of the pause
  std::int32_t hits = 0, known_hits = 0;

  static void describe(fmukit::Description<Magnet>& d) {
    d.text("Magnet with an interrupter").default_experiment({.stop = 2, .step = 1e-3});
    d.parameter("pull", &Magnet::pull).unit("N");
    d.parameter("pause", &Magnet::pause).unit("s");
    d.input("hits", &Magnet::hits);
    d.output("force", &Magnet::force).unit("N").discrete().depends_on({"hits", "pull", "pause"});
    d.memory(&Magnet::next);
    d.memory(&Magnet::known_hits);
  }
  void update_discrete_states(fmukit::EventInfo& e) override {
    if (hits != known_hits) {
      known_hits = hits;
      next = time + pause;
    }
    force = time < next ? 0 : pull;
    if (time < next) e.next_time = next;
  }
};

/// The whole bell.
class Reference final : public fmukit::Model {
 public:
  static constexpr std::size_t count = 6;
  using Numbers = std::array<double, count>;
  Data data;
  Numbers x{}, v{}, dx{}, dv{};
  double distance = gap, force = 12, next = -1;
  std::int32_t hits = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("Electric bell, not taken apart").default_experiment({.stop = 2, .step = 1e-3});
    d.internal_step(internal_step);
    for (std::size_t i = 0; i < count; ++i) {
      std::string name = i + 1 == count ? "clapper." : "m";
      if (i + 1 < count) name += std::to_string(i + 1) + ".";
      d.output(name + "x", [i](Reference& r) -> double& { return r.x[i]; }).unit("m");
      d.output(name + "v", [i](Reference& r) -> double& { return r.v[i]; }).unit("m/s").reinit();
      d.local("der(" + name + "x)", [i](Reference& r) -> double& { return r.dx[i]; })
          .derivative_of(name + "x")
          .unit("m/s");
      d.local("der(" + name + "v)", [i](Reference& r) -> double& { return r.dv[i]; })
          .derivative_of(name + "v")
          .unit("m/s2");
    }
    d.local("distance", &Reference::distance).unit("m").event_indicator();
    d.local("force", &Reference::force).unit("N").discrete();
    d.local("hits", &Reference::hits);
  }
  void derivatives() override {
    double pull = force;  // what acts from the right
    for (std::size_t i = count; i-- > 0;) {
      const double x_left = i == 0 ? 0 : x[i - 1], v_left = i == 0 ? 0 : v[i - 1];
      const double s = data.k * (x_left - x[i]) + data.d * (v_left - v[i]);
      dx[i] = v[i];
      dv[i] = (s + pull) / data.m;
      pull = -s;
    }
  }
  void outputs() override { distance = gap - x[count - 1]; }
  void update_discrete_states(fmukit::EventInfo& e) override {
    constexpr double pause = 0.06;
    if (x[count - 1] >= gap - rounding && v[count - 1] > 0) {
      v[count - 1] *= -restitution;
      ++hits;
      next = time + pause;
    }
    force = time < next ? 0 : 12;
    if (time < next) e.next_time = next;
  }
};

EXAMPLE_MODEL(Element)
EXAMPLE_MODEL(Clapper)
EXAMPLE_MODEL(Magnet)
EXAMPLE_MODEL(Reference)
