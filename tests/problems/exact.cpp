// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>

/// x' = a x + b u, y = c x + d u, which its own solver integrates exactly for inputs that are
/// lines.
class Exact final : public fmukit::Model {
 public:
  double a = -1, b = 1, c = 1, d = 0, u = 0, x = 1, dx = 0, y = 0;

  static void describe(fmukit::Description<Exact>& description) {
    description.text("A linear system, integrated exactly")
        .default_experiment({.start = 0, .stop = 1, .step = 0.01});
    description.parameter("a", &Exact::a);
    description.parameter("b", &Exact::b);
    description.parameter("c", &Exact::c);
    description.parameter("d", &Exact::d);
    description.input("u", &Exact::u);
    description.local("x", &Exact::x);
    description.local("der(x)", &Exact::dx).derivative_of("x").depends_on({"x", "u"});
    description.output("y", &Exact::y).depends_on({"x", "u"});
  }
  void derivatives() override { dx = a * x + b * u; }
  void outputs() override { y = c * x + d * u; }
  void integrate(double end) override {
    const double h = end - time, z = a * h, start = u;
    inputs_at(end);
    const double growth = std::expm1(z);
    const double constant = z == 0 ? 1 : growth / z;
    const double line = std::abs(z) < 1e-4 ? 0.5 + z / 6 : (constant - 1) / z;
    x += growth * x + h * b * (constant * start + line * (u - start));
  }
};

FMUKIT_EXPORT(Exact)
