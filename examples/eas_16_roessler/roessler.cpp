// SPDX-License-Identifier: BSD-2-Clause
#include "models/example_model.hpp"

/// Keeps the error of 100 s below 1e-6.
constexpr double internal_step = 0.005;

/// x' = -y - z
class X final : public fmukit::Model {
 public:
  double y = 0, z = 0, x = 1, dx = 0;
  static void describe(fmukit::Description<X>& d) {
    d.text("x' = -y - z").internal_step(internal_step);
    d.input("y", &X::y);
    d.input("z", &X::z);
    d.output("x", &X::x).depends_on({"x"});
    d.local("der(x)", &X::dx).derivative_of("x").depends_on({"y", "z"});
  }
  void derivatives() override { dx = -y - z; }
};

/// y' = x + 0.2 y
class Y final : public fmukit::Model {
 public:
  double x = 0, y = 1, dy = 0;
  static void describe(fmukit::Description<Y>& d) {
    d.text("y' = x + 0.2 y").internal_step(internal_step);
    d.input("x", &Y::x);
    d.output("y", &Y::y).depends_on({"y"});
    d.local("der(y)", &Y::dy).derivative_of("y").depends_on({"x", "y"});
  }
  void derivatives() override { dy = x + 0.2 * y; }
};

/// z' = 0.2 + z (x - 2.5)
class Z final : public fmukit::Model {
 public:
  double x = 0, z = 1, dz = 0;
  static void describe(fmukit::Description<Z>& d) {
    d.text("z' = 0.2 + z (x - 2.5)").internal_step(internal_step);
    d.input("x", &Z::x);
    d.output("z", &Z::z).depends_on({"z"});
    d.local("der(z)", &Z::dz).derivative_of("z").depends_on({"x", "z"});
  }
  void derivatives() override { dz = 0.2 + z * (x - 2.5); }
};

/// The whole
class Reference final : public fmukit::Model {
 public:
  double x = 1, y = 1, z = 1, dx = 0, dy = 0, dz = 0;
  static void describe(fmukit::Description<Reference>& d) {
    d.text("Roessler's equations").internal_step(internal_step);
    d.output("f1.x", &Reference::x);
    d.output("f2.y", &Reference::y);
    d.output("f3.z", &Reference::z);
    d.local("der(f1.x)", &Reference::dx).derivative_of("f1.x");
    d.local("der(f2.y)", &Reference::dy).derivative_of("f2.y");
    d.local("der(f3.z)", &Reference::dz).derivative_of("f3.z");
  }
  void derivatives() override {
    dx = -y - z;
    dy = x + 0.2 * y;
    dz = 0.2 + z * (x - 2.5);
  }
};

EXAMPLE_MODEL(X)
EXAMPLE_MODEL(Y)
EXAMPLE_MODEL(Z)
EXAMPLE_MODEL(Reference)
