// SPDX-License-Identifier: BSD-2-Clause
// A linear system A(t) x = r(t) of three equations, one FMU for each.
#include "models/example_model.hpp"

#include <array>
#include <cmath>

/// r = (1, slope t + amplitude sin t, 1)
struct RightHandSide {
  double slope = 0, amplitude = 0;
  double r2(double t) const { return slope * t + amplitude * std::sin(t); }
};

class RightSide final : public fmukit::Model {
 public:
  RightHandSide side;
  double r1 = 1, r2 = 0, r3 = 1;

  static void describe(fmukit::Description<RightSide>& d) {
    d.text("r = (1, slope t + amplitude sin t, 1)");
    d.parameter("slope", [](RightSide& m) -> double& { return m.side.slope; });
    d.parameter("amplitude", [](RightSide& m) -> double& { return m.side.amplitude; });
    d.output("r1", &RightSide::r1).depends_on({});
    d.output("r2", &RightSide::r2).depends_on({"time", "slope", "amplitude"});
    d.output("r3", &RightSide::r3).depends_on({});
  }
  void outputs() override { r2 = side.r2(time); }
};

/// d x + (a + a_t t) p + (b + b_t t) q = r, solved for x
class Equation final : public fmukit::Model {
 public:
  double d = 1, a = 0, a_t = 0, b = 0, b_t = 0;
  double p = 0, q = 0, r = 0, x = 0;

  static void describe(fmukit::Description<Equation>& m) {
    m.text("d x + (a + a_t t) p + (b + b_t t) q = r, solved for x");
    m.parameter("d", &Equation::d);
    m.parameter("a", &Equation::a);
    m.parameter("a_t", &Equation::a_t);
    m.parameter("b", &Equation::b);
    m.parameter("b_t", &Equation::b_t);
    m.input("p", &Equation::p);
    m.input("q", &Equation::q);
    m.input("r", &Equation::r);
    m.output("x", &Equation::x).depends_on({"p", "q", "r", "time", "d", "a", "a_t", "b", "b_t"});
  }
  void outputs() override { x = (r - (a + a_t * time) * p - (b + b_t * time) * q) / d; }
};

class Sum final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0, x3 = 0, y = 0;

  static void describe(fmukit::Description<Sum>& d) {
    d.text("y = x1 + x2 + x3");
    d.input("x1", &Sum::x1);
    d.input("x2", &Sum::x2);
    d.input("x3", &Sum::x3);
    d.output("y", &Sum::y).depends_on({"x1", "x2", "x3"});
  }
  void outputs() override { y = x1 + x2 + x3; }
};

using Matrix = std::array<std::array<double, 3>, 3>;

double determinant(const Matrix& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// (A + A_t t) x = r by Cramer's rule
class Reference final : public fmukit::Model {
 public:
  Matrix A{}, A_t{};
  RightHandSide side;
  std::array<double, 3> x{};
  double y = 0;

  static void describe(fmukit::Description<Reference>& d) {
    d.text("(A + A_t t) x = r by Cramer's rule, y = x1 + x2 + x3");
    d.parameter("A", &Reference::A);
    d.parameter("A_t", &Reference::A_t);
    d.parameter("slope", [](Reference& m) -> double& { return m.side.slope; });
    d.parameter("amplitude", [](Reference& m) -> double& { return m.side.amplitude; });
    d.output("x1.x", [](Reference& m) -> double& { return m.x[0]; });
    d.output("x2.x", [](Reference& m) -> double& { return m.x[1]; });
    d.output("x3.x", [](Reference& m) -> double& { return m.x[2]; });
    d.output("y.y", &Reference::y);
  }
  void outputs() override {
    const std::array<double, 3> r{1, side.r2(time), 1};
    Matrix m{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) m[i][j] = A[i][j] + A_t[i][j] * time;
    for (std::size_t j = 0; j < 3; ++j) {
      Matrix replaced = m;
      for (std::size_t i = 0; i < 3; ++i) replaced[i][j] = r[i];
      x[j] = determinant(replaced) / determinant(m);
    }
    y = x[0] + x[1] + x[2];
  }
};

EXAMPLE_MODEL(RightSide)
EXAMPLE_MODEL(Equation)
EXAMPLE_MODEL(Sum)
EXAMPLE_MODEL(Reference)
