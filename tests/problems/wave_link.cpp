// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// A link of a chain like Link, but it knows the law of the lines at its sides: the force of a line
/// on it is -(c + Z v), with the wave c at the start of the step and its slope.
///   m v' = -(c1 + Z1 v) - (c2 + Z2 v) - d v - k x,  x' = v
/// by the implicit midpoint rule, of order 2, one step for each communication step; the first
/// `rounds` dependent additions and multiplications make a step take longer.
class WaveLink final : public fmukit::Model {
 public:
  double c1 = 0, c2 = 0, dc1 = 0, dc2 = 0, z1 = 0, z2 = 0, v = 0, x = 0;
  double m = 1, d = 0, k = 0;
  int rounds = 0;

  static void describe(fmukit::Description<WaveLink>& d) {
    d.text("A mass between two lines").default_experiment({.stop = 1, .step = 0.001});
    d.input("c1", &WaveLink::c1).unit("N").text("wave at one side");
    d.input("c2", &WaveLink::c2).unit("N").text("wave at the other side");
    d.input("dc1", &WaveLink::dc1).text("slope of c1");
    d.input("dc2", &WaveLink::dc2).text("slope of c2");
    d.input("Z1", &WaveLink::z1).text("impedance of one line");
    d.input("Z2", &WaveLink::z2).text("impedance of the other line");
    d.output("v", &WaveLink::v).unit("m/s").exact().depends_on({});
    d.output("x", &WaveLink::x).unit("m").exact().depends_on({});
    d.parameter("m", &WaveLink::m).unit("kg");
    d.parameter("d", &WaveLink::d).unit("N.s/m");
    d.parameter("k", &WaveLink::k).unit("N/m");
    d.parameter("rounds", &WaveLink::rounds).text("loop count per step").min(0);
  }

  fmukit::StepResult do_step(double h) override {
    double waste = c1;
    for (int i = 0; i < rounds; ++i) waste = waste * 0.5 + 1;
    const double wave = c1 + c2 + h / 2 * (dc1 + dc2), resistance = z1 + z2 + d;
    // The mean velocity a solves 2 (a - v) = h/m (-wave - resistance a - k (x + h/2 a)).
    const double mean = (2 * v - h / m * (wave + k * x)) / (2 + h / m * (resistance + k * h / 2));
    v = 2 * mean - v + 1e-300 * waste;
    x += h * mean;
    return {};
  }
};

FMUKIT_EXPORT(WaveLink)
