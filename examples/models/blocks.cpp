// SPDX-License-Identifier: BSD-2-Clause
// Small blocks that several examples are put together from.
#include "models/example_model.hpp"

#include <cmath>

/// y = offset + amplitude sin(omega t + phase)
class Sine final : public fmukit::Model {
 public:
  double offset = 0, amplitude = 1, omega = 1, phase = 0;
  double y = 0;

  static void describe(fmukit::Description<Sine>& d) {
    d.text("y = offset + amplitude sin(omega t + phase)");
    d.parameter("offset", &Sine::offset);
    d.parameter("amplitude", &Sine::amplitude);
    d.parameter("omega", &Sine::omega).unit("rad/s");
    d.parameter("phase", &Sine::phase).unit("rad");
    d.output("y", &Sine::y).depends_on({"time", "offset", "amplitude", "omega", "phase"});
  }
  void outputs() override { y = offset + amplitude * std::sin(omega * time + phase); }
};

/// y = k u + b + amplitude sin(omega t)
class Affine final : public fmukit::Model {
 public:
  double k = 1, b = 0, amplitude = 0, omega = 1;
  double u = 0, y = 0;

  static void describe(fmukit::Description<Affine>& d) {
    d.text("y = k u + b + amplitude sin(omega t)");
    d.parameter("k", &Affine::k);
    d.parameter("b", &Affine::b);
    d.parameter("amplitude", &Affine::amplitude);
    d.parameter("omega", &Affine::omega).unit("rad/s");
    d.input("u", &Affine::u);
    d.output("y", &Affine::y).depends_on({"u", "time", "k", "b", "amplitude", "omega"});
  }
  void outputs() override { y = k * u + b + amplitude * std::sin(omega * time); }
};

/// y = k1 u1 + k2 u2
class Add final : public fmukit::Model {
 public:
  double k1 = 1, k2 = 1;
  double u1 = 0, u2 = 0, y = 0;

  static void describe(fmukit::Description<Add>& d) {
    d.text("y = k1 u1 + k2 u2");
    d.parameter("k1", &Add::k1);
    d.parameter("k2", &Add::k2);
    d.input("u1", &Add::u1);
    d.input("u2", &Add::u2);
    d.output("y", &Add::y).depends_on({"u1", "u2", "k1", "k2"});
  }
  void outputs() override { y = k1 * u1 + k2 * u2; }
};

/// y = u1 u2
class Product final : public fmukit::Model {
 public:
  double u1 = 0, u2 = 0, y = 0;

  static void describe(fmukit::Description<Product>& d) {
    d.text("y = u1 u2");
    d.input("u1", &Product::u1);
    d.input("u2", &Product::u2);
    d.output("y", &Product::y).depends_on({"u1", "u2"});
  }
  void outputs() override { y = u1 * u2; }
};

/// y = sin(u)
class SineOf final : public fmukit::Model {
 public:
  double u = 0, y = 0;

  static void describe(fmukit::Description<SineOf>& d) {
    d.text("y = sin(u)");
    d.input("u", &SineOf::u);
    d.output("y", &SineOf::y).depends_on({"u"});
  }
  void outputs() override { y = std::sin(u); }
};

/// y = ln(u), which fails for u <= 0
class Logarithm final : public fmukit::Model {
 public:
  double u = 1, y = 0;

  static void describe(fmukit::Description<Logarithm>& d) {
    d.text("y = ln(u)");
    d.input("u", &Logarithm::u);
    d.output("y", &Logarithm::y).depends_on({"u"});
  }
  void outputs() override {
    if (u <= 0) throw std::runtime_error("logarithm of a number that is not positive");
    y = std::log(u);
  }
};

/// x' = k u
class Integrator final : public fmukit::Model {
 public:
  double k = 1;
  double u = 0, x = 0, dx = 0;

  static void describe(fmukit::Description<Integrator>& d) {
    d.text("x' = k u");
    d.parameter("k", &Integrator::k);
    d.input("u", &Integrator::u);
    d.output("x", &Integrator::x).depends_on({"x"});
    d.local("der(x)", &Integrator::dx).derivative_of("x").depends_on({"u", "k"});
  }
  void derivatives() override { dx = k * u; }
};

/// x' = u - x
class Lag final : public fmukit::Model {
 public:
  double u = 0, x = 0, dx = 0;

  static void describe(fmukit::Description<Lag>& d) {
    d.text("x' = u - x").internal_step(0.01);
    d.input("u", &Lag::u);
    d.output("x", &Lag::x).depends_on({"x"});
    d.local("der(x)", &Lag::dx).derivative_of("x").depends_on({"u", "x"});
  }
  void derivatives() override { dx = u - x; }
};

/// How far an input is from the solution: y = a exp(-t) + b sin(omega t) - u
class Difference final : public fmukit::Model {
 public:
  double a = 0, b = 0, omega = 1;
  double u = 0, y = 0;

  static void describe(fmukit::Description<Difference>& d) {
    d.text("y = a exp(-t) + b sin(omega t) - u");
    d.parameter("a", &Difference::a);
    d.parameter("b", &Difference::b);
    d.parameter("omega", &Difference::omega).unit("rad/s");
    d.input("u", &Difference::u);
    d.output("y", &Difference::y).depends_on({"u", "time", "a", "b", "omega"});
  }
  void outputs() override { y = a * std::exp(-time) + b * std::sin(omega * time) - u; }
};

/// How far a point is from the unit circle: y = u1^2 + u2^2 - 1
class Circle final : public fmukit::Model {
 public:
  double u1 = 0, u2 = 0, y = 0;

  static void describe(fmukit::Description<Circle>& d) {
    d.text("y = u1^2 + u2^2 - 1");
    d.input("u1", &Circle::u1);
    d.input("u2", &Circle::u2);
    d.output("y", &Circle::y).depends_on({"u1", "u2"});
  }
  void outputs() override { y = u1 * u1 + u2 * u2 - 1; }
};

EXAMPLE_MODEL(Sine)
EXAMPLE_MODEL(Affine)
EXAMPLE_MODEL(Add)
EXAMPLE_MODEL(Product)
EXAMPLE_MODEL(SineOf)
EXAMPLE_MODEL(Logarithm)
EXAMPLE_MODEL(Integrator)
EXAMPLE_MODEL(Lag)
EXAMPLE_MODEL(Difference)
EXAMPLE_MODEL(Circle)
