// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "models/example_model.hpp"

/// x' = -x u^2, y = x
class First final : public fmukit::Model {
 public:
  double u = 0, x = 1, dx = 0, y = 0;

  static void describe(fmukit::Description<First>& d) {
    d.text("x' = -x u^2, y = x").default_experiment({.stop = 1, .step = 0.02});
    d.internal_step(0.005);
    d.input("u", &First::u);
    d.output("x", &First::x).depends_on({"x"});
    d.output("y", &First::y).depends_on({"x"});
    d.local("der(x)", &First::dx).derivative_of("x").depends_on({"x", "u"});
  }
  void derivatives() override { dx = -x * u * u; }
  void outputs() override { y = x; }
  void partials(fmukit::Partials& p) override {
    p(dx, x) = -u * u;
    p(dx, u) = -2 * x * u;
    p(y, x) = 1;
  }
};

/// x' = -x + u, y = x + sin u
class Second final : public fmukit::Model {
 public:
  double u = 0, x = 1, dx = 0, y = 0;

  static void describe(fmukit::Description<Second>& d) {
    d.text("x' = -x + u, y = x + sin u").default_experiment({.stop = 1, .step = 0.02});
    d.internal_step(0.005);
    d.input("u", &Second::u);
    d.output("x", &Second::x).depends_on({"x"});
    d.output("y", &Second::y).depends_on({"x", "u"});
    d.local("der(x)", &Second::dx).derivative_of("x").depends_on({"x", "u"});
  }
  void derivatives() override { dx = -x + u; }
  void outputs() override { y = x + std::sin(u); }
  void partials(fmukit::Partials& p) override {
    p(dx, x) = -1;
    p(dx, u) = 1;
    p(y, x) = 1;
    p(y, u) = std::cos(u);
  }
};

/// Both
class Reference final : public fmukit::Model {
 public:
  double x1 = 1, x2 = 1, dx1 = 0, dx2 = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("Both, not taken apart").default_experiment({.stop = 1, .step = 0.02});
    d.output("first.x", &Reference::x1);
    d.output("second.x", &Reference::x2);
    d.local("der(first.x)", &Reference::dx1).derivative_of("first.x");
    d.local("der(second.x)", &Reference::dx2).derivative_of("second.x");
  }
  void derivatives() override {
    const double u1 = x2 + std::sin(x1);
    dx1 = -x1 * u1 * u1;
    dx2 = -x2 + x1;
  }
};

EXAMPLE_MODEL(First)
EXAMPLE_MODEL(Second)
EXAMPLE_MODEL(Reference)
