// SPDX-License-Identifier: BSD-2-Clause
// Solutions that can be written down: what examples made of blocks are held against.
#include "models/example_model.hpp"

#include <cmath>
#include <numbers>

constexpr double pi = std::numbers::pi;

/// eas_01: x' = 2 sin t - x, x(0) = 0
class Chain final : public fmukit::Model {
 public:
  double x = 0, m = 0, w = 0, y = 0;
  static void describe(fmukit::Description<Chain>& d) {
    d.text("x = sin t - cos t + exp(-t), m = sin t (1 + 0.5 cos t), w = x + m, y = w - sin t");
    d.output("f5.x", &Chain::x);
    d.output("f4.y", &Chain::m);
    d.output("f6.y", &Chain::w);
    d.output("f7.y", &Chain::y);
  }
  void outputs() override {
    x = std::sin(time) - std::cos(time) + std::exp(-time);
    m = std::sin(time) * (1 + 0.5 * std::cos(time));
    w = x + m;
    y = w - std::sin(time);
  }
};

/// eas_06: x' = 2 pi cos 2 pi t
class Wave final : public fmukit::Model {
 public:
  double x = 0, y = 0;
  static void describe(fmukit::Description<Wave>& d) {
    d.text("x = sin 2 pi t");
    d.output("f2.x", &Wave::x);
    d.output("f3.y", &Wave::y);
  }
  void outputs() override { x = std::sin(2 * pi * time); }
};

/// eas_07, eas_20: x2' = -x2, x2(0) = 1; the FMU f3 computes exp(-t) - x2
class Decay final : public fmukit::Model {
 public:
  double y = 0;
  static void describe(fmukit::Description<Decay>& d) {
    d.text("y = 0");
    d.output("f3.y", &Decay::y);
  }
  void outputs() override { y = 0; }
};

/// eas_08: x1' = x2, x2' = -x1
class Oscillator final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0, y = 0;
  static void describe(fmukit::Description<Oscillator>& d) {
    d.text("x1 = cos t, x2 = -sin t");
    d.output("f1.x", &Oscillator::x1);
    d.output("f2.x", &Oscillator::x2);
    d.output("f3.y", &Oscillator::y);
  }
  void outputs() override {
    x1 = std::cos(time);
    x2 = -std::sin(time);
  }
};

/// eas_09: x + 0.8 sin x = 5 sin(0.4 pi t); the left side grows with x, so there is one solution
class Nonlinear final : public fmukit::Model {
 public:
  double r = 0, x = 0, y = 0;
  static void describe(fmukit::Description<Nonlinear>& d) {
    d.text("x + 0.8 sin x = 5 sin(0.4 pi t), y = sin x");
    d.output("f2.y", &Nonlinear::x);
    d.output("f3.y", &Nonlinear::y);
  }
  void outputs() override {
    r = 5 * std::sin(0.4 * pi * time);
    double low = r - 1, high = r + 1;
    for (int n = 0; n < 60; ++n) {
      x = (low + high) / 2;
      (x + 0.8 * std::sin(x) < r ? low : high) = x;
    }
    y = std::sin(x);
  }
};

/// eas_19, eas_19b: x1 + x3 = b(t), x3 = p x1 + q
class Loop final : public fmukit::Model {
 public:
  double amplitude = 0, p = -0.5, q = 0.5;
  double x1 = 0, x3 = 0;
  static void describe(fmukit::Description<Loop>& d) {
    d.text("x1 + x3 = 1 + amplitude sin 2 pi t, x3 = p x1 + q");
    d.parameter("amplitude", &Loop::amplitude);
    d.parameter("p", &Loop::p);
    d.parameter("q", &Loop::q);
    d.output("part1.y", &Loop::x1);
    d.output("part2.y", &Loop::x3);
  }
  void outputs() override {
    x1 = (1 + amplitude * std::sin(2 * pi * time) - q) / (1 + p);
    x3 = p * x1 + q;
  }
};

EXAMPLE_MODEL(Chain)
EXAMPLE_MODEL(Wave)
EXAMPLE_MODEL(Decay)
EXAMPLE_MODEL(Oscillator)
EXAMPLE_MODEL(Nonlinear)
EXAMPLE_MODEL(Loop)
