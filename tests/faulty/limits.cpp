// SPDX-License-Identifier: BSD-2-Clause
// A gain that is defined up to a limit of its input only.
#include <fmukit/model.hpp>

#include <limits>

namespace {

class Limited final : public fmukit::Model {
 public:
  double u = 0, y = 0, k = 1, limit = 1;

  static void describe(fmukit::Description<Limited>& d) {
    d.text("y = k u up to a limit of u, beyond it not a number")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("k", &Limited::k);
    d.parameter("limit", &Limited::limit);
    d.input("u", &Limited::u);
    d.output("y", &Limited::y).depends_on({"u"});
  }
  void outputs() override { y = u <= limit ? k * u : std::numeric_limits<double>::quiet_NaN(); }
};

}  // namespace

FMUKIT_EXPORT(Limited)
