// SPDX-License-Identifier: BSD-2-Clause
#include <fmukit/model.hpp>

#include <unistd.h>

#include <cmath>

/// y is 0, and from a time on a power of two that depends on the number of the process: no two runs
/// are alike.
class Moody final : public fmukit::Model {
 public:
  double y = 0, from = 0;

  static void describe(fmukit::Description<Moody>& d) {
    d.text("Another output in each run").default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.parameter("from", &Moody::from);
    d.output("y", &Moody::y).depends_on({});
  }
  void outputs() override { y = time < from ? 0 : std::ldexp(1.0, ::getpid() % 50); }
};

FMUKIT_EXPORT(Moody)
