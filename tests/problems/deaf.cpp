// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// y grows by h u in a step, in two parts: in FMI 3 it shows y after the first, and could be given
/// another u there, but never asks for one.
class Deaf final : public fmukit::Model {
 public:
  double u = 0, y = 0;

  static void describe(fmukit::Description<Deaf>& d) {
    d.text("Intermediate updates that ask for nothing")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.promises().intermediate_updates = true;
    d.input("u", &Deaf::u);
    d.output("y", &Deaf::y).exact().depends_on({});
  }

  fmukit::StepResult do_step(double h) override {
    const double begin = time;
    y += h / 2 * u;
    intermediate_update(begin + h / 2);
    y += h / 2 * u;
    return {};
  }
};

FMUKIT_EXPORT(Deaf)
