// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#ifndef ROUNDS
#define ROUNDS 1000
#endif

/// A step that works for about 2 microseconds with 1,000 rounds: y integrates u, after `rounds`
/// dependent additions and multiplications (some 8 clock cycles each).
class Busy final : public fmukit::Model {
 public:
  double u = 0, y = 0;
  int rounds = ROUNDS;

  static void describe(fmukit::Description<Busy>& d) {
    d.text("A step of some microseconds").default_experiment({.stop = 1, .step = 0.001});
    d.input("u", &Busy::u);
    d.output("y", &Busy::y).exact().depends_on({});
    d.parameter("rounds", &Busy::rounds).text("loop count per step").min(0);
  }

  fmukit::StepResult do_step(double h) override {
    double waste = u;
    for (int i = 0; i < rounds; ++i) waste = waste * 0.5 + 1;
    y += h * u + 1e-300 * waste;  // far below rounding, but the compiler cannot know
    return {};
  }
};

FMUKIT_EXPORT(Busy)
