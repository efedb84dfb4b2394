// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>
#include <cstddef>

// Models of the systems whose files are printed in the papers; PRINTED_MODEL chooses one.

/// Petridis and Clauß, table 2: x1 = -x2
class F1 final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0;
  static void describe(fmukit::Description<F1>& d) {
    d.output("x1", &F1::x1).depends_on({"x2"});
    d.input("x2", &F1::x2);
  }
  void outputs() override { x1 = -x2; }
};

/// x2' = x1, x2(0) = 1
class F2 final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 1, dx2 = 0;
  static void describe(fmukit::Description<F2>& d) {
    d.input("x1", &F2::x1);
    d.output("x2", &F2::x2).depends_on({"x2"});
    d.local("der(x2)", &F2::dx2).derivative_of("x2").depends_on({"x1"});
  }
  void derivatives() override { dx2 = x1; }
};

/// y = exp(-t) - x2
class F3 final : public fmukit::Model {
 public:
  double x2 = 0, y = 0;
  static void describe(fmukit::Description<F3>& d) {
    d.input("x2", &F3::x2);
    d.output("y", &F3::y).depends_on({"x2"});
  }
  void outputs() override { y = std::exp(-time) - x2; }
};

/// The right side of the linear system, r = (1, 0, 1)
class Right final : public fmukit::Model {
 public:
  double r1 = 1, r2 = 0, r3 = 1;
  static void describe(fmukit::Description<Right>& d) {
    d.output("r1", &Right::r1);
    d.output("r2", &Right::r2);
    d.output("r3", &Right::r3);
  }
};

/// Row k of the linear system, solved for its unknown: d x + (a + a_t t) p + (b + b_t t) q = r,
/// where p and q are the other unknowns in their order
template <std::size_t k>
class Equation final : public fmukit::Model {
 public:
  double p = 0, q = 0, r = 0, x = 0;
  static void describe(fmukit::Description<Equation>& d) {
    d.input("p", &Equation::p);
    d.input("q", &Equation::q);
    d.input("r", &Equation::r);
    d.output("x", &Equation::x).depends_on({"p", "q", "r", "time"});
  }
  void outputs() override {
    static constexpr struct {
      double d, a, a_t, b, b_t;
    } rows[] = {{3, 0.1, 1, 0.2, 0}, {3, 0.1, 0, 0.1, 1}, {4, 0.1, 1, 0.2, 0}};
    constexpr auto row = rows[k];
    x = (r - (row.a + row.a_t * time) * p - (row.b + row.b_t * time) * q) / row.d;
  }
};
using X1 = Equation<0>;
using X2 = Equation<1>;
using X3 = Equation<2>;

/// y = x1 + x2 + x3
class Sum final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0, x3 = 0, y = 0;
  static void describe(fmukit::Description<Sum>& d) {
    d.input("x1", &Sum::x1);
    d.input("x2", &Sum::x2);
    d.input("x3", &Sum::x3);
    d.output("y", &Sum::y).depends_on({"x1", "x2", "x3"});
  }
  void outputs() override { y = x1 + x2 + x3; }
};

/// Nicolai, Math003: two switches
class Part1 final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0;
  static void describe(fmukit::Description<Part1>& d) {
    d.output("x1", &Part1::x1);
    d.output("x2", &Part1::x2);
  }
  void outputs() override {
    x1 = time < 1 || (time >= 2 && time < 5) ? 0 : 1;
    x2 = time < 3 || (time >= 4 && time < 6) ? 0 : 1;
  }
};

/// x3 = 3, -3 or 0, as the switches and x4 say
class Part2 final : public fmukit::Model {
 public:
  double x1 = 0, x2 = 0, x3 = 0, x4 = 0;
  static void describe(fmukit::Description<Part2>& d) {
    d.input("x1", &Part2::x1);
    d.input("x2", &Part2::x2);
    d.input("x4", &Part2::x4);
    d.output("x3", &Part2::x3).depends_on({"x1", "x2", "x4"});
  }
  void outputs() override {
    x3 = x1 == 1 && x2 < 0.01 && x4 < 2.5 ? 3 : x1 < 0.001 && x2 > 0 && x4 > -2.5 ? -3 : 0;
  }
};

/// x4' = 2 x3
class Part3 final : public fmukit::Model {
 public:
  double x3 = 0, x4 = 0, dx4 = 0;
  static void describe(fmukit::Description<Part3>& d) {
    d.input("x3", &Part3::x3);
    d.output("x4", &Part3::x4).depends_on({"x4"});
    d.local("der(x4)", &Part3::dx4).derivative_of("x4").depends_on({"x3"});
  }
  void derivatives() override { dx4 = 2 * x3; }
};

FMUKIT_EXPORT(PRINTED_MODEL)
