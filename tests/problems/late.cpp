// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// y = u, except at the start, where the value of y is given: ModelStructure has a dependency in
/// Outputs that InitialUnknowns has not.
class Late final : public fmukit::Model {
 public:
  double u = 0, y = 0;

  static void describe(fmukit::Description<Late>& d) {
    d.text("Feed-through from the first step on")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &Late::u);
    d.output("y", &Late::y).exact().depends_on({"u"});
  }
  void outputs() override { y = u; }
};

FMUKIT_EXPORT(Late)
