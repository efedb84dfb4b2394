// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// H. H. Robertson's chemical reaction (1966): rates from 0.04 to 3e7, the standard stiff problem.
///   y1' = -0.04 y1 + 1e4 y2 y3,  y3' = 3e7 y2^2,  y2 = 1 - y1 - y3.
class Roberts final : public fmukit::Model {
 public:
  double y1 = 1, y2 = 0, y3 = 0, dy1 = 0, dy2 = 0, dy3 = 0;

  static void describe(fmukit::Description<Roberts>& d) {
    using M = Roberts;
    d.text("Robertson's reaction: very stiff")
        .default_experiment({.start = 0, .stop = 4e10, .tolerance = 1e-6});
    d.output("y1", &M::y1);
    d.local("der(y1)", &M::dy1).derivative_of("y1").depends_on({"y1", "y2", "y3"});
    d.output("y2", &M::y2).nominal(1e-4);
    d.local("der(y2)", &M::dy2).derivative_of("y2").depends_on({"y1", "y2", "y3"});
    d.output("y3", &M::y3);
    d.local("der(y3)", &M::dy3).derivative_of("y3").depends_on({"y2"});
  }
  void derivatives() override {
    dy1 = -0.04 * y1 + 1e4 * y2 * y3;
    dy3 = 3e7 * y2 * y2;
    dy2 = -dy1 - dy3;
  }
};

FMUKIT_EXPORT(Roberts)
