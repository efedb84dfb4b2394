// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmukit/model.hpp>

/// y integrates u: the healthy part of FMUs whose functions of the C interface are at fault.
class Plain final : public fmukit::Model {
 public:
  double u = 1, y = 0;

  static void describe(fmukit::Description<Plain>& d) {
    d.text("Misbehaves at the C interface")
        .default_experiment({.start = 0, .stop = 1, .step = 0.1});
    d.input("u", &Plain::u);
    d.output("y", &Plain::y).exact().depends_on({});
  }
  fmukit::StepResult do_step(double h) override {
    y += h * u;
    return {};
  }
};

/// Defines a function of FMI 1.0 in place of the kit's.
#define FAULTY_JOIN_(a, b) a##_##b
#define FAULTY_JOIN(a, b) FAULTY_JOIN_(a, b)
#define FAULTY_FMI1(name) FAULTY_JOIN(FMUKIT_IDENTIFIER, name)
#define FAULTY_API extern "C" __attribute__((visibility("default")))
