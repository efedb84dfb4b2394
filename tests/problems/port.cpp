// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// x' = u, y = c x + d u, and an event mode in which it counts how often it was used.
class Port final : public fmukit::Model {
 public:
  double u = 0, x = 0, dx = 0, y = 0, c = 1, d = 1;
  int updates = 0;

  static void describe(fmukit::Description<Port>& m) {
    m.text("Feed-through and an event mode").default_experiment({.stop = 1, .step = 0.1});
    m.parameter("c", &Port::c);
    m.parameter("d", &Port::d);
    m.input("u", &Port::u);
    m.local("x", &Port::x);
    m.local("der(x)", &Port::dx).derivative_of("x").depends_on({"u"});
    m.output("y", &Port::y).depends_on({"x", "u"});
    m.output("updates", &Port::updates).depends_on({});
  }
  void derivatives() override { dx = u; }
  void outputs() override { y = c * x + d * u; }
  void update_discrete_states(fmukit::EventInfo& /*event*/) override { ++updates; }
};

FMUKIT_EXPORT(Port)
