// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>

#include "models/example_model.hpp"

constexpr double gravity = 9.81;
/// Keeps the error of 5 s below 1e-9.
constexpr double internal_step = 1e-3;

/// The upper pendulum with angle a and speed w. The lower one pulls its tip with the force u; the
/// outputs are the acceleration of the tip (without the part of the damper, as in the source).
class Upper final : public fmukit::Model {
 public:
  double m = 1, l = 1, damping = 0.5;
  double u1 = 0, u2 = 0;
  double a = -1, w = 0, da = 0, dw = 0, y1 = 0, y2 = 0;

  static void describe(fmukit::Description<Upper>& d) {
    d.text("Upper half of a double pendulum").default_experiment({.stop = 1, .step = 0.01});
    d.internal_step(internal_step);
    d.parameter("m", &Upper::m).unit("kg").min(1e-3);
    d.parameter("l", &Upper::l).unit("m").min(1e-3);
    d.parameter("d", &Upper::damping).unit("N.m.s/rad");
    d.input("u1", &Upper::u1).unit("N");
    d.input("u2", &Upper::u2).unit("N");
    d.output("a", &Upper::a).unit("rad").depends_on({"a"});
    d.output("w", &Upper::w).unit("rad/s").depends_on({"w"});
    d.output("y1", &Upper::y1).unit("m/s2").depends_on({"a", "w", "u1", "u2"});
    d.output("y2", &Upper::y2).unit("m/s2").depends_on({"a", "w", "u1", "u2"});
    d.local("der(a)", &Upper::da).derivative_of("a").unit("rad/s").depends_on({"w"});
    d.local("der(w)", &Upper::dw)
        .derivative_of("w")
        .unit("rad/s2")
        .depends_on({"a", "w", "u1", "u2"});
  }
  /// The force along (cos a, sin a), across the rod.
  double across() const { return u1 * std::cos(a) + (u2 - m * gravity) * std::sin(a); }
  void derivatives() override {
    da = w;
    dw = (l * across() - damping * w) / (m * l * l);
  }
  void outputs() override {
    y1 = std::cos(a) * across() / m - w * w * l * std::sin(a);
    y2 = std::sin(a) * across() / m + w * w * l * std::cos(a);
  }
  void partials(fmukit::Partials& p) override {
    const double c = std::cos(a), s = std::sin(a), q = across();
    const double dq = -u1 * s + (u2 - m * gravity) * c;  // of q with a
    p(da, w) = 1;
    p(dw, a) = dq / (m * l);
    p(dw, w) = -damping / (m * l * l);
    p(dw, u1) = c / (m * l);
    p(dw, u2) = s / (m * l);
    p(y1, a) = (-s * q + c * dq) / m - w * w * l * c;
    p(y1, w) = -2 * w * l * s;
    p(y1, u1) = c * c / m;
    p(y1, u2) = c * s / m;
    p(y2, a) = (c * q + s * dq) / m - w * w * l * s;
    p(y2, w) = 2 * w * l * c;
    p(y2, u1) = s * c / m;
    p(y2, u2) = s * s / m;
  }
};

/// The lower pendulum, whose pivot moves with the acceleration u; the outputs are the force with
/// which it pulls the pivot.
class Lower final : public fmukit::Model {
 public:
  double m = 1.5, l = 1;
  double u1 = 0, u2 = 0;
  double a = 0.3, w = 0, da = 0, dw = 0, y1 = 0, y2 = 0;

  static void describe(fmukit::Description<Lower>& d) {
    d.text("Lower half of a double pendulum").default_experiment({.stop = 1, .step = 0.01});
    d.internal_step(internal_step);
    d.parameter("m", &Lower::m).unit("kg").min(1e-3);
    d.parameter("l", &Lower::l).unit("m").min(1e-3);
    d.input("u1", &Lower::u1).unit("m/s2");
    d.input("u2", &Lower::u2).unit("m/s2");
    d.output("a", &Lower::a).unit("rad").depends_on({"a"});
    d.output("w", &Lower::w).unit("rad/s").depends_on({"w"});
    d.output("y1", &Lower::y1).unit("N").depends_on({"a", "w", "u1", "u2"});
    d.output("y2", &Lower::y2).unit("N").depends_on({"a", "w", "u1", "u2"});
    d.local("der(a)", &Lower::da).derivative_of("a").unit("rad/s").depends_on({"w"});
    d.local("der(w)", &Lower::dw).derivative_of("w").unit("rad/s2").depends_on({"a", "u1", "u2"});
  }
  /// Minus the force in the rod, by its mass.
  double along() const {
    return u1 * std::sin(a) - u2 * std::cos(a) - l * w * w - gravity * std::cos(a);
  }
  void derivatives() override {
    da = w;
    dw = (-gravity * std::sin(a) - u1 * std::cos(a) - u2 * std::sin(a)) / l;
  }
  void outputs() override {
    y1 = -m * along() * std::sin(a);
    y2 = m * along() * std::cos(a);
  }
  void partials(fmukit::Partials& p) override {
    const double c = std::cos(a), s = std::sin(a), q = along();
    const double dq = u1 * c + u2 * s + gravity * s;  // of q with a
    p(da, w) = 1;
    p(dw, a) = (-gravity * c + u1 * s - u2 * c) / l;
    p(dw, u1) = -c / l;
    p(dw, u2) = -s / l;
    p(y1, a) = -m * (dq * s + q * c);
    p(y1, w) = 2 * m * l * w * s;
    p(y1, u1) = -m * s * s;
    p(y1, u2) = m * c * s;
    p(y2, a) = m * (dq * c - q * s);
    p(y2, w) = -2 * m * l * w * c;
    p(y2, u1) = m * s * c;
    p(y2, u2) = -m * c * c;
  }
};

/// Both. With q1 = across() of the upper and q2 = along() of the lower one,
///   q1 = -m2 s q2 - m1 g sin a1, q2 = s q1/m1 - k, s = sin(a2 - a1),
///   k = l1 w1^2 cos(a1 - a2) + l2 w2^2 + g cos a2.
class Reference final : public fmukit::Model {
 public:
  double a1 = -1, w1 = 0, a2 = 0.3, w2 = 0, da1 = 0, dw1 = 0, da2 = 0, dw2 = 0;
  double y11 = 0, y12 = 0, y21 = 0, y22 = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("Double pendulum, not taken apart").default_experiment({.stop = 1, .step = 0.01});
    d.output("upper.a", &Reference::a1).unit("rad");
    d.output("upper.w", &Reference::w1).unit("rad/s");
    d.output("lower.a", &Reference::a2).unit("rad");
    d.output("lower.w", &Reference::w2).unit("rad/s");
    d.output("upper.y1", &Reference::y11).unit("m/s2");
    d.output("upper.y2", &Reference::y12).unit("m/s2");
    d.output("lower.y1", &Reference::y21).unit("N");
    d.output("lower.y2", &Reference::y22).unit("N");
    d.local("der(upper.a)", &Reference::da1).derivative_of("upper.a").unit("rad/s");
    d.local("der(upper.w)", &Reference::dw1).derivative_of("upper.w").unit("rad/s2");
    d.local("der(lower.a)", &Reference::da2).derivative_of("lower.a").unit("rad/s");
    d.local("der(lower.w)", &Reference::dw2).derivative_of("lower.w").unit("rad/s2");
  }
  void derivatives() override {
    solve();
    da1 = w1;
    dw1 = (l1 * q1_ - damping * w1) / (m1 * l1 * l1);
    da2 = w2;
    dw2 = (-gravity * std::sin(a2) - y11 * std::cos(a2) - y12 * std::sin(a2)) / l2;
  }

 private:
  static constexpr double m1 = 1, l1 = 1, damping = 0.5, m2 = 1.5, l2 = 1;
  double q1_ = 0;

  void solve() {
    const double s = std::sin(a2 - a1);
    const double k = l1 * w1 * w1 * std::cos(a1 - a2) + l2 * w2 * w2 + gravity * std::cos(a2);
    q1_ = (m2 * s * k - m1 * gravity * std::sin(a1)) / (1 + m2 * s * s / m1);
    const double q2 = s * q1_ / m1 - k;
    y11 = std::cos(a1) * q1_ / m1 - w1 * w1 * l1 * std::sin(a1);
    y12 = std::sin(a1) * q1_ / m1 + w1 * w1 * l1 * std::cos(a1);
    y21 = -m2 * q2 * std::sin(a2);
    y22 = m2 * q2 * std::cos(a2);
  }
};

EXAMPLE_MODEL(Upper)
EXAMPLE_MODEL(Lower)
EXAMPLE_MODEL(Reference)
