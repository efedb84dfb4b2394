// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cmath>

/// Its output depends on its input in another way in every step: no linear system does that.
class Erratic final : public fmukit::Model {
 public:
  double u = 0, y = 1;

  Erratic() = default;
  Erratic(const Erratic&) = delete;  // so the FMU cannot save its state
  Erratic& operator=(const Erratic&) = delete;

  static void describe(fmukit::Description<Erratic>& d) {
    d.text("A gain that changes from step to step").default_experiment({.stop = 1, .step = 0.1});
    d.input("u", &Erratic::u);
    d.output("y", &Erratic::y).depends_on({"u"});
  }
  fmukit::StepResult do_step(double) override {
    ++count_;
    y = 1 + 0.5 * std::sin(1e3 * count_ * count_) * u;
    return {};
  }

 private:
  double count_ = 0;
};

FMUKIT_EXPORT(Erratic)
