// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/component_model.hpp>

/// u = kp (w - y) + ki times the integral of (w - y), as a sum over its steps.
class PiController final : public tutti::ComponentModel {
 public:
  PiController() {
    parameter("kp", kp_);
    parameter("ki", ki_, {.unit = "1/s"});
    input("w", w_, {.description = "set point"});
    input("y", y_, {.description = "measured value"});
    output("u", u_);
  }

  void initialize(double) override {
    sum_ = 0;
    compute();
  }
  void step(double, double h) override {
    sum_ += h * (w_ - y_);
    compute();
  }

  // Its steps can be repeated. Variables are saved anyway; the sum is none.
  bool can_roll_back() const override { return true; }
  void save(std::any& into) const override { into = sum_; }
  void restore(const std::any& from) override { sum_ = std::any_cast<double>(from); }

 private:
  void compute() { u_ = kp_ * (w_ - y_) + ki_ * sum_; }

  double kp_ = 1, ki_ = 0, w_ = 0, y_ = 0, u_ = 0;
  double sum_ = 0;  // s
};
