// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// x' = -x
class Decay final : public fmukit::Model {
 public:
  double x = 1, dx = 0;

  static void describe(fmukit::Description<Decay>& d) {
    d.internal_step(0.01);
    d.output("x", &Decay::x).depends_on({"x"});
    d.local("der(x)", &Decay::dx).derivative_of("x").depends_on({"x"});
  }
  void derivatives() override { dx = -x; }
};

FMUKIT_EXPORT(Decay)
