// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "models/example_model.hpp"

/// x' = a x + b u, y = c x + d u
class Part final : public fmukit::Model {
 public:
  double a = -1, b = 1, c = 1, d = 0;
  double u = 0, x = 1, dx = 0, y = 0;

  static void describe(fmukit::Description<Part>& d) {
    d.text("x' = a x + b u, y = c x + d u").default_experiment({.stop = 1, .step = 0.01});
    d.internal_step(0.005);  // one to two hundred to the time constant: exact to 1e-11
    d.parameter("a", &Part::a);
    d.parameter("b", &Part::b);
    d.parameter("c", &Part::c);
    d.parameter("d", &Part::d);
    d.input("u", &Part::u);
    d.output("x", &Part::x).depends_on({"x"});
    d.output("y", &Part::y).depends_on({"x", "u"});
    d.local("der(x)", &Part::dx).derivative_of("x").depends_on({"x", "u"});
  }
  void derivatives() override { dx = a * x + b * u; }
  void outputs() override { y = c * x + d * u; }
  void partials(fmukit::Partials& p) override {
    p(dx, x) = a;
    p(dx, u) = b;
    p(y, x) = c;
    p(y, u) = d;
  }
};

/// Both, where each gets what the other gives: u1 = y2, u2 = y1. Without u,
///   y1 = (c1 x1 + d1 c2 x2) / (1 - d1 d2), y2 = (c2 x2 + d2 c1 x1) / (1 - d1 d2),
/// and x' = M x is solved by exp(M t) = exp(p t) (C I + S (M - p I)), where p is half the trace of
/// M, q^2 = p^2 - det M, C = cosh(q t), S = sinh(q t)/q.
class Reference final : public fmukit::Model {
 public:
  double a1 = -1, b1 = 1, c1 = 1, d1 = 1, a2 = -1, b2 = 3, c2 = -5, d2 = -0.9;
  double x1 = 0, x2 = 0, y1 = 0, y2 = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("Two linear parts with feed-through, exact").default_experiment({.stop = 1});
    d.parameter("a1", &Reference::a1);
    d.parameter("b1", &Reference::b1);
    d.parameter("c1", &Reference::c1);
    d.parameter("d1", &Reference::d1);
    d.parameter("a2", &Reference::a2);
    d.parameter("b2", &Reference::b2);
    d.parameter("c2", &Reference::c2);
    d.parameter("d2", &Reference::d2);
    d.output("first.x", &Reference::x1);
    d.output("second.x", &Reference::x2);
    d.output("first.y", &Reference::y1);
    d.output("second.y", &Reference::y2);
  }
  void outputs() override {
    const double r = 1 / (1 - d1 * d2);
    const double m11 = a1 + b1 * r * d2 * c1, m12 = b1 * r * c2;
    const double m21 = b2 * r * c1, m22 = a2 + b2 * r * d1 * c2;
    const double p = (m11 + m22) / 2, square = p * p - (m11 * m22 - m12 * m21);
    const double q = std::sqrt(std::abs(square)), t = time;
    const double cosine = square < 0 ? std::cos(q * t) : std::cosh(q * t);
    const double sine = q == 0 ? t : (square < 0 ? std::sin(q * t) : std::sinh(q * t)) / q;
    const double growth = std::exp(p * t);  // x starts at (1, 1)
    x1 = growth * (cosine + sine * (m11 - p + m12));
    x2 = growth * (cosine + sine * (m22 - p + m21));
    y1 = r * (c1 * x1 + d1 * c2 * x2);
    y2 = r * (c2 * x2 + d2 * c1 * x1);
  }
};

EXAMPLE_MODEL(Part)
EXAMPLE_MODEL(Reference)
