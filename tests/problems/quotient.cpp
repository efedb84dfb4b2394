// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <stdexcept>

/// x' = x + u, y = x, z = x/u with `divides`, which has no answer for u = 0. Two of them coupled
/// are example 5.0.1 of Ch. Andersson's thesis (Lund 2016): fine in the right order only.
class Quotient final : public fmukit::Model {
 public:
  double u = 0, x = 1, dx = 0, y = 0, z = 0;
  bool divides = false;

  static void describe(fmukit::Description<Quotient>& d) {
    d.text("A state, and its quotient by the input")
        .default_experiment({.start = 0, .stop = 1, .step = 0.01});
    d.parameter("divides", &Quotient::divides);
    d.input("u", &Quotient::u);
    d.local("x", &Quotient::x).exact();
    d.local("der(x)", &Quotient::dx).derivative_of("x");
    d.output("y", &Quotient::y).text("x").depends_on({"x"});
    d.output("z", &Quotient::z).text("x/u").depends_on({"x", "u"});
  }
  void derivatives() override { dx = x + u; }
  void outputs() override {
    y = x;
    if (!divides) return;
    if (u == 0) throw std::domain_error("division by zero");
    z = x / u;
  }
};

FMUKIT_EXPORT(Quotient)
