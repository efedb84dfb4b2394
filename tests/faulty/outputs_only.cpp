// SPDX-License-Identifier: BSD-2-Clause
// A model that nobody has to set anything in; CMakeLists.txt hides the functions that would.
#include <fmukit/model.hpp>

class OutputsOnly final : public fmukit::Model {
 public:
  double y = 0;
  int steps = 0;
  bool odd = false;

  static void describe(fmukit::Description<OutputsOnly>& d) {
    d.text("Has outputs only").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.output("y", &OutputsOnly::y).exact().depends_on({});
    d.output("steps", &OutputsOnly::steps).exact().depends_on({});
    d.output("odd", &OutputsOnly::odd).exact().depends_on({});
  }
  fmukit::StepResult do_step(double h) override {
    y += h;
    ++steps;
    odd = !odd;
    return {};
  }
};

FMUKIT_EXPORT(OutputsOnly)
