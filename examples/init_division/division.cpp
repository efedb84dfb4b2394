// SPDX-License-Identifier: BSD-2-Clause
#include "models/example_model.hpp"

/// x' = x + u, y = x
class First : public fmukit::Model {
 public:
  double u = 0, x = 1, dx = 0, y = 0;

  static void describe(fmukit::Description<First>& d) {
    describe_all(d);
    d.output("y", &First::y).depends_on({"x"});
  }
  void derivatives() override { dx = x + u; }
  void outputs() override { y = x; }

 protected:
  template <class M>
  static void describe_all(fmukit::Description<M>& d) {
    d.text("x' = x + u, y = x").default_experiment({.stop = 0.01, .step = 0.01});
    d.input("u", &M::u);
    d.output("x", &M::x).depends_on({"x"});
    d.local("der(x)", &M::dx).derivative_of("x").depends_on({"x", "u"});
  }
};

/// The same, but it does not say what its output depends on.
class Blind final : public First {
 public:
  static void describe(fmukit::Description<Blind>& d) {
    describe_all(d);
    d.output("y", &Blind::y);
  }
};

/// x' = x + u, y = x/u
class Second final : public fmukit::Model {
 public:
  double u = 0, x = -1, dx = 0, y = 0;

  static void describe(fmukit::Description<Second>& d) {
    d.text("x' = x + u, y = x/u").default_experiment({.stop = 0.01, .step = 0.01});
    d.input("u", &Second::u);
    d.output("x", &Second::x).depends_on({"x"});
    d.output("y", &Second::y).depends_on({"x", "u"});
    d.local("der(x)", &Second::dx).derivative_of("x").depends_on({"x", "u"});
  }
  void derivatives() override { dx = x + u; }
  void outputs() override { y = x / u; }
};

/// The whole, x1' = x1 + x2/x1, x2' = x2 + x1: it rests where it starts.
class Reference final : public fmukit::Model {
 public:
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.output("one.x", &Reference::x1);
    d.output("one.y", &Reference::y1);
    d.output("two.x", &Reference::x2);
    d.output("two.y", &Reference::y2);
  }
  void outputs() override {
    x1 = y1 = 1;
    x2 = y2 = -1;
  }
};

EXAMPLE_MODEL(First)
EXAMPLE_MODEL(Blind)
EXAMPLE_MODEL(Second)
EXAMPLE_MODEL(Reference)
