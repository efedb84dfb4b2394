// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <cfenv>

/// Changes the rounding mode whenever its output is read, from t = 0.5 on.
class RoundingInGet final : public fmukit::Model {
 public:
  double u = 1, y = 0;

  static void describe(fmukit::Description<RoundingInGet>& d) {
    d.text("Changes the rounding mode in get")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &RoundingInGet::u);
    d.output("y", &RoundingInGet::y).depends_on({"u"});
  }
  void outputs() override {
    y = u;
    if (time > 0.45) std::fesetround(FE_UPWARD);
  }
};

FMUKIT_EXPORT(RoundingInGet)
