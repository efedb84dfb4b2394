// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "zoo/equations.hpp"

/// Nonlinear components without events.
namespace zoo {

/// Declares what all of them have: n states with the start values `x`.
template <class M>
void declare_states(fmukit::Description<M>& d, const char* text, double internal_step) {
  d.text(text).default_experiment({.stop = 10, .step = 0.01}).internal_step(internal_step);
  d.local("x", &M::x);
  d.local("der(x)", &M::dx).derivative_of("x");
  d.memory(&M::step_size);
}

/// y = offset + slope t + amplitude sin(w t + phase): a source.
class Wave final : public fmukit::Model {
 public:
  double offset = 0, slope = 0, amplitude = 0, w = 1, phase = 0, y = 0;

  static void describe(fmukit::Description<Wave>& d) {
    d.text("A source").default_experiment({.stop = 10, .step = 0.01}).internal_step(0.01);
    d.parameter("offset", &Wave::offset);
    d.parameter("slope", &Wave::slope);
    d.parameter("amplitude", &Wave::amplitude);
    d.parameter("w", &Wave::w);
    d.parameter("phase", &Wave::phase);
    d.output("y", &Wave::y).depends_on({});
  }
  void outputs() override { y = offset + slope * time + amplitude * std::sin(w * time + phase); }
  void integrate(double) override {}
};

/// y = a tanh(k u) + b u + c + q sin(w t): feed-through that is not linear.
class Curve final : public fmukit::Model {
 public:
  double a = 1, k = 1, b = 0, c = 0, q = 0, w = 1, u = 0, y = 0;

  static void describe(fmukit::Description<Curve>& d) {
    d.text("A curve").default_experiment({.stop = 10, .step = 0.01}).internal_step(0.01);
    d.parameter("a", &Curve::a);
    d.parameter("k", &Curve::k);
    d.parameter("b", &Curve::b);
    d.parameter("c", &Curve::c);
    d.parameter("q", &Curve::q);
    d.parameter("w", &Curve::w);
    d.input("u", &Curve::u);
    d.output("y", &Curve::y).depends_on({"u"});
  }
  void outputs() override { y = a * std::tanh(k * u) + b * u + c + q * std::sin(w * time); }
  void integrate(double) override {}
};

/// x' = x (a + b u): a species that eats or is eaten.
class Species final : public Equations<1> {
 public:
  double a = 1, b = -1, u = 0, y = 0;

  static void describe(fmukit::Description<Species>& d) {
    declare_states(d, "A species", 0.02);
    d.parameter("a", &Species::a);
    d.parameter("b", &Species::b);
    d.input("u", &Species::u);
    d.output("y", &Species::y).depends_on({"x"});
  }
  void derivatives() override { dx[0] = x[0] * (a + b * u); }
  void outputs() override { y = x[0]; }
};

/// Two of Lorenz's equations: x1' = u (r - x2) - x1, x2' = u x1 - b x2.
class Convection final : public Equations<2> {
 public:
  double r = 28, b = 8.0 / 3, u = 0, y = 0;

  static void describe(fmukit::Description<Convection>& d) {
    declare_states(d, "Two of Lorenz's equations", 0.002);
    d.parameter("r", &Convection::r);
    d.parameter("b", &Convection::b);
    d.input("u", &Convection::u);
    d.output("y", &Convection::y).depends_on({"x"});
  }
  void derivatives() override {
    dx[0] = u * (r - x[1]) - x[0];
    dx[1] = u * x[0] - b * x[1];
  }
  void outputs() override { y = x[0]; }
};

/// Duffing: x'' = -d x' - a x - b x^3 + u.
class Duffing final : public Equations<2> {
 public:
  double damping = 0.2, a = -1, b = 1, u = 0, y = 0, v = 0;

  static void describe(fmukit::Description<Duffing>& d) {
    declare_states(d, "A spring that is not linear", 0.01);
    d.parameter("damping", &Duffing::damping);
    d.parameter("a", &Duffing::a);
    d.parameter("b", &Duffing::b);
    d.input("u", &Duffing::u);
    d.output("y", &Duffing::y).depends_on({"x"});
    d.output("v", &Duffing::v).depends_on({"x"});
  }
  void derivatives() override {
    dx[0] = x[1];
    dx[1] = -damping * x[1] - a * x[0] - b * x[0] * x[0] * x[0] + u;
  }
  void outputs() override {
    y = x[0];
    v = x[1];
  }
};

/// Half of van der Pol: x' = mu (1 - u^2) x - u.
class VanDerPol final : public Equations<1> {
 public:
  double mu = 1, u = 0, y = 0;

  static void describe(fmukit::Description<VanDerPol>& d) {
    declare_states(d, "Half of van der Pol's equations", 0.002);
    d.parameter("mu", &VanDerPol::mu);
    d.input("u", &VanDerPol::u);
    d.output("y", &VanDerPol::y).depends_on({"x"});
  }
  void derivatives() override { dx[0] = mu * (1 - u * u) * x[0] - u; }
  void outputs() override { y = x[0]; }
};

/// One of the Brusselator's equations: x' = a + c x^2 u - b x (activator), or b u - u^2 x.
template <bool activator>
class Brusselator final : public Equations<1> {
 public:
  double a = 1, b = 3, u = 0, y = 0;

  static void describe(fmukit::Description<Brusselator>& d) {
    declare_states(d, "Half of the Brusselator", 0.005);
    d.parameter("a", &Brusselator::a);
    d.parameter("b", &Brusselator::b);
    d.input("u", &Brusselator::u);
    d.output("y", &Brusselator::y).depends_on({"x"});
  }
  void derivatives() override {
    const double s = x[0];
    dx[0] = activator ? a + s * s * u - (b + 1) * s : b * u - u * u * s;
  }
  void outputs() override { y = x[0]; }
};

/// A nerve: x' = x - x^3/3 - u + i.
class Nerve final : public Equations<1> {
 public:
  double i = 0.5, u = 0, y = 0;

  static void describe(fmukit::Description<Nerve>& d) {
    declare_states(d, "Voltage of FitzHugh and Nagumo", 0.01);
    d.parameter("i", &Nerve::i);
    d.input("u", &Nerve::u);
    d.output("y", &Nerve::y).depends_on({"x"});
  }
  void derivatives() override { dx[0] = x[0] - x[0] * x[0] * x[0] / 3 - u + i; }
  void outputs() override { y = x[0]; }
};

/// A clock that listens to another one: x' = w + k sin(u - x).
class Phase final : public Equations<1> {
 public:
  double w = 1, k = 0.5, u = 0, y = 0;

  static void describe(fmukit::Description<Phase>& d) {
    declare_states(d, "A phase", 0.02);
    d.parameter("w", &Phase::w);
    d.parameter("k", &Phase::k);
    d.input("u", &Phase::u);
    d.output("y", &Phase::y).depends_on({"x"});
  }
  void derivatives() override { dx[0] = w + k * std::sin(u - x[0]); }
  void outputs() override { y = x[0]; }
};

/// A sensor that saturates: x' = rate (tanh(u) - x).
class Sensor final : public Equations<1> {
 public:
  double rate = 1e3, u = 0, y = 0;

  static void describe(fmukit::Description<Sensor>& d) {
    declare_states(d, "A sensor that saturates", 0.01);
    d.parameter("rate", &Sensor::rate);
    d.input("u", &Sensor::u);
    d.output("y", &Sensor::y).depends_on({"x"});
  }
  void derivatives() override { dx[0] = rate * (std::tanh(u) - x[0]); }
  void outputs() override { y = x[0]; }
};

}  // namespace zoo
