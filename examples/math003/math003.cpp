// SPDX-License-Identifier: BSD-2-Clause
#include "models/example_model.hpp"

#include <algorithm>

/// x1 = 0 if t < 1 or 2 <= t < 5, else 1;  x2 = 0 if t < 3 or 4 <= t < 6, else 1
class Part1 final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0;

  static void describe(fmukit::Description<Part1>& d) {
    d.text("Math003, part 1: two switches").default_experiment({.stop = 10, .step = 0.1});
    d.output("x1", &Part1::x1).depends_on({"time"});
    d.output("x2", &Part1::x2).depends_on({"time"});
  }
  // No tolerance around the times: a clock that drifts shall be seen.
  void outputs() override {
    x1 = time < 1 || (time >= 2 && time < 5) ? 0 : 1;
    x2 = time < 3 || (time >= 4 && time < 6) ? 0 : 1;
  }
};

/// x3 = 3, -3 or 0, as the switches and x4 say
class Part2 final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0, x4 = 0, x3 = 0;

  static void describe(fmukit::Description<Part2>& d) {
    d.text("Math003, part 2: a switching law").default_experiment({.stop = 10, .step = 0.1});
    d.input("x1", &Part2::x1);
    d.input("x2", &Part2::x2);
    d.input("x4", &Part2::x4);
    d.output("x3", &Part2::x3).depends_on({"x1", "x2", "x4"});
  }
  // An input that moves linearly arrives with a rounding error, and "x1 = 1" would miss it.
  static constexpr double rounding = 1e-9;
  void outputs() override {
    const bool is_one = x1 > 1 - rounding, is_positive = x2 > rounding;
    x3 = is_one && x2 < 0.01 && x4 < 2.5 ? 3 : x1 < 0.001 && is_positive && x4 > -2.5 ? -3 : 0;
  }
};

/// x4' = 2 x3
class Part3 final : public fmukit::Model {
 public:
  double x3 = 0, x4 = 0, dx4 = 0;

  static void describe(fmukit::Description<Part3>& d) {
    d.text("Math003, part 3: an integrator").default_experiment({.stop = 10, .step = 0.1});
    d.input("x3", &Part3::x3);
    d.output("x4", &Part3::x4).depends_on({"x4"});
    d.local("der(x4)", &Part3::dx4).derivative_of("x4").depends_on({"x3"});
  }
  void derivatives() override { dx4 = 2 * x3; }
};

/// The exact solution
class Reference final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0, x3 = 0, x4 = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("Math003, the exact solution").default_experiment({.stop = 10, .step = 0.1});
    d.output("part1.x1", &Reference::x1);
    d.output("part1.x2", &Reference::x2);
    d.output("part2.x3", &Reference::x3);
    d.output("part3.x4", &Reference::x4);
  }
  void outputs() override {
    const double t = time;
    x1 = t < 1 || (t >= 2 && t < 5) ? 0 : 1;
    x2 = t < 3 || (t >= 4 && t < 6) ? 0 : 1;
    const auto is_within = [t](double from, double span) { return t >= from && t < from + span; };
    x3 = is_within(1, 2.5 / 6) || is_within(5, 5.0 / 6) ? 3 : is_within(3, 5.0 / 6) ? -3 : 0;
    x4 = t <= 1   ? 0
         : t <= 3 ? std::min(2.5, 6 * (t - 1))
         : t <= 5 ? std::max(-2.5, 2.5 - 6 * (t - 3))
                  : std::min(2.5, -2.5 + 6 * (t - 5));
  }
};

EXAMPLE_MODEL(Part1)
EXAMPLE_MODEL(Part2)
EXAMPLE_MODEL(Part3)
EXAMPLE_MODEL(Reference)
