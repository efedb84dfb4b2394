// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// y = k t u: feed-through that is not there at the start.
class Rising final : public fmukit::Model {
 public:
  double k = 1, u = 0, y = 0;

  static void describe(fmukit::Description<Rising>& d) {
    d.text("A gain that rises with time").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("k", &Rising::k);
    d.input("u", &Rising::u);
    d.output("y", &Rising::y).depends_on({"u", "time"});
  }
  void outputs() override { y = k * time * u; }
};

FMUKIT_EXPORT(Rising)
