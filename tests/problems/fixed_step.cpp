// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>
#include <stdexcept>

/// Counts steps and takes none but those of 0.1 s.
class FixedStep final : public fmukit::Model {
 public:
  int steps = 0;

  static void describe(fmukit::Description<FixedStep>& d) {
    d.text("Steps of 0.1 s only").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.promises().fixed_step = true;
    d.output("steps", &FixedStep::steps).exact().depends_on({});
  }

  fmukit::StepResult do_step(double h) override {
    if (std::abs(h - 0.1) > 1e-9) throw std::runtime_error("the step must be 0.1 s");
    ++steps;
    return {};
  }
};

FMUKIT_EXPORT(FixedStep)
