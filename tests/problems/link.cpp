// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// A link of a chain: a mass with a spring and a damper to the ground, and a force at either side.
///   m v' = f1 + f2 - d v - k x,  x' = v
/// by the semi-implicit Euler method, one step for each communication step; the first `rounds`
/// dependent additions and multiplications make a step take longer (some 2 ns each).
class Link final : public fmukit::Model {
 public:
  double f1 = 0, f2 = 0, v = 0, x = 0;
  double m = 1, d = 0, k = 0;
  int rounds = 0;

  static void describe(fmukit::Description<Link>& d) {
    d.text("A mass with two sides").default_experiment({.stop = 1, .step = 0.001});
    d.input("f1", &Link::f1).unit("N").text("force at one side");
    d.input("f2", &Link::f2).unit("N").text("force at the other side");
    d.output("v", &Link::v).unit("m/s").exact().depends_on({});
    d.output("x", &Link::x).unit("m").exact().depends_on({});
    d.parameter("m", &Link::m).unit("kg");
    d.parameter("d", &Link::d).unit("N.s/m");
    d.parameter("k", &Link::k).unit("N/m");
    d.parameter("rounds", &Link::rounds).text("loop count per step").min(0);
  }

  fmukit::StepResult do_step(double h) override {
    double waste = f1;
    for (int i = 0; i < rounds; ++i) waste = waste * 0.5 + 1;
    v += h * (f1 + f2 - d * v - k * x) / m + 1e-300 * waste;
    x += h * v;
    return {};
  }
};

FMUKIT_EXPORT(Link)
