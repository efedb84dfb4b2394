// SPDX-License-Identifier: BSD-2-Clause
#include "models/example_model.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

/// x' = -x + u(t - 1), y = x + u(t - 1), with u = 0 before t = 0.
/// The input is remembered as it was: a straight piece for every internal step.
class Delay final : public fmukit::Model {
 public:
  struct Piece {
    double begin, end, from, to;
  };
  double u = 0, x = 0, dx = 0, y = 0;
  double begin = 0, from = 0;  // of the piece that is being integrated
  std::vector<Piece> past;

  static void describe(fmukit::Description<Delay>& d) {
    d.text("x' = -x + u(t - 1), y = x + u(t - 1)").internal_step(0.01);
    d.input("u", &Delay::u);
    d.output("x", &Delay::x).depends_on({"x"});
    d.output("y", &Delay::y).depends_on({"x", "time"});
    d.local("der(x)", &Delay::dx).derivative_of("x").depends_on({"x", "time"});
    d.memory(&Delay::begin);
    d.memory(&Delay::from);
    d.memory(&Delay::past);
  }
  void derivatives() override {
    // The first stage of a step sees the input where the step begins.
    if (time < begin + 1e-9) from = u;
    dx = -x + delayed(time - 1);
  }
  void outputs() override { y = x + delayed(time - 1); }
  bool completed_integrator_step() override {
    past.push_back({begin, time, from, u});
    begin = time;
    const auto is_needed = [&](const Piece& piece) { return piece.end > time - 1 - 1e-9; };
    past.erase(past.begin(), std::find_if(past.begin(), past.end(), is_needed));
    return false;
  }

 private:
  double delayed(double t) const {
    for (const Piece& piece : past)
      if (t > piece.begin + 1e-12 && t <= piece.end + 1e-12)
        return piece.from + (piece.to - piece.from) * (t - piece.begin) / (piece.end - piece.begin);
    return 0;
  }
};

/// With s = t - 1: x = (sin s - cos s + exp(-s))/2, y = x + sin s; 0 before
class Reference final : public fmukit::Model {
 public:
  double x = 0, y = 0;
  static void describe(fmukit::Description<Reference>& d) {
    d.text("The solution for u = sin t");
    d.output("f2.x", &Reference::x);
    d.output("f2.y", &Reference::y);
  }
  void outputs() override {
    const double s = std::max(0.0, time - 1);
    x = (std::sin(s) - std::cos(s) + std::exp(-s)) / 2;
    y = x + std::sin(s);
  }
};

EXAMPLE_MODEL(Delay)
EXAMPLE_MODEL(Reference)
