// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>
#include <limits>

/// x' = f(x), for the search of steady states; `form` chooses f.
class Curve final : public fmukit::Model {
 public:
  enum Form {
    cubic,   ///< x - x^3 + u: 0 is unstable, -1 and 1 are stable
    pull,    ///< -x/(1 + x^2) + u: beyond 1, Newton's method goes to infinity
    growth,  ///< 1 + x^2: never zero
    nothing,
    moving,    ///< sin t - x
    switched,  ///< (on ? 3 : 1.5) - x, where on = x > 1 as of the last event
    broken,    ///< u - x, but an error for x > 2
    never,     ///< (on ? -1 : 3) - x, the same switch: no value is steady
  };
  double u = 0, x = 0.5, dx = 0, z = 0;
  int form = cubic;
  bool on = false;

  static void describe(fmukit::Description<Curve>& d) {
    d.text("One equation").default_experiment({.start = 0, .stop = 10, .step = 0.1});
    d.input("u", &Curve::u);
    d.parameter("form", &Curve::form);
    d.output("x", &Curve::x);
    d.local("der(x)", &Curve::dx).derivative_of("x").depends_on({"x", "u"});
    d.output("on", &Curve::on).exact().depends_on({});
    d.local("z", &Curve::z).event_indicator();
  }
  void derivatives() override {
    if (form == broken && x > 2) throw std::runtime_error("x is too large");
    dx = f();
  }
  void outputs() override { z = x - 1; }
  void update_discrete_states(fmukit::EventInfo&) override { on = x > 1; }

 private:
  double f() const {
    switch (form) {
      case cubic:
        return x - x * x * x + u;
      case pull:
        return -x / (1 + x * x) + u;
      case growth:
        return 1 + x * x;
      case moving:
        return std::sin(time) - x;
      case switched:
        return (on ? 3 : 1.5) - x;
      case never:
        return (on ? -1 : 3) - x;
      case broken:
        return u - x;
      default:
        return std::numeric_limits<double>::quiet_NaN();
    }
  }
};

FMUKIT_EXPORT(Curve)
