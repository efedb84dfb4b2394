// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

/// x' = a x + b u, y = c x + d u: two of them are the linear example of Ch. Andersson's thesis
/// (Lund 2016, 6.1.1). FEEDBACK_BARE: it cannot be copied, so the FMU has neither states to save
/// nor directional derivatives.
class Feedback final : public fmukit::Model {
 public:
  double a = -1, b = 1, c = 1, d = 0, u = 0, x = 1, dx = 0, y = 0;

#ifdef FEEDBACK_BARE
  Feedback() = default;
  Feedback(const Feedback&) = delete;
  Feedback& operator=(const Feedback&) = delete;
#endif

  static void describe(fmukit::Description<Feedback>& description) {
    description.text("A linear system with feed-through")
        .default_experiment({.start = 0, .stop = 1, .step = 0.01});
    description.parameter("a", &Feedback::a);
    description.parameter("b", &Feedback::b);
    description.parameter("c", &Feedback::c);
    description.parameter("d", &Feedback::d);
    description.input("u", &Feedback::u);
    description.local("x", &Feedback::x);
    description.local("der(x)", &Feedback::dx).derivative_of("x").depends_on({"x", "u"});
    description.output("y", &Feedback::y).depends_on({"x", "u"});
  }
  void derivatives() override { dx = a * x + b * u; }
  void outputs() override { y = c * x + d * u; }
};

FMUKIT_EXPORT(Feedback)
