// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <stdexcept>

/// x' = 1, and no answer at all after t = 1: a solver must not look beyond the stop time.
class Punctual final : public fmukit::Model {
 public:
  double x = 0, dx = 0;

  static void describe(fmukit::Description<Punctual>& d) {
    d.text("Fails when it is asked for anything after t = 1")
        .default_experiment({.start = 0, .stop = 1, .step = 0.3});
    d.output("x", &Punctual::x);
    d.local("der(x)", &Punctual::dx).derivative_of("x");
  }
  void derivatives() override {
    if (time > 1) throw std::runtime_error("too late");
    dx = 1;
  }
};

FMUKIT_EXPORT(Punctual)
