// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// Result = V1 - V2 + V3 V4, at once: FourRealInputVars of MASTERSIM's tests, as its results show.
class FourInputs final : public fmukit::Model {
 public:
  double v1 = 0, v2 = 0, v3 = 0, v4 = 0, result = 0;

  static void describe(fmukit::Description<FourInputs>& d) {
    d.text("Four inputs").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("V1", &FourInputs::v1);
    d.input("V2", &FourInputs::v2);
    d.input("V3", &FourInputs::v3);
    d.input("V4", &FourInputs::v4);
    d.output("Result", &FourInputs::result).depends_on({"V1", "V2", "V3", "V4"});
  }
  void outputs() override { result = v1 - v2 + v3 * v4; }
};

FMUKIT_EXPORT(FourInputs)
