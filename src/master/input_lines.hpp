// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "models/instance.hpp"

namespace tutti::master {

/// The continuous inputs of one component as lines over a step: from the values that belong to its
/// start to those meant for its end,
///   u(s) = u(t) + (u(t + h) - u(t)) (s - t)/h
/// A component that takes values only gets the one in the middle.
class InputLines {
 public:
  explicit InputLines(models::Instance& instance) : instance_(&instance) {}

  /// The inputs are those at the start of the step.
  void begin() { start_.assign(inputs().begin(), inputs().end()); }
  /// The inputs are those meant for the end of the step, those of a cycle perhaps not yet.
  void aim() { end_.assign(inputs().begin(), inputs().end()); }
  /// The inputs are what was aimed at; to be changed before the component goes.
  void take_aim() { std::copy(end_.begin(), end_.end(), inputs().begin()); }
  /// The component gets its lines.
  void go(double h) {
    const auto u = inputs();
    slopes_.resize(u.size());
    end_.assign(u.begin(), u.end());
    const bool follows = instance_->follows_slopes();
    for (std::size_t i = 0; i < u.size(); ++i) {
      slopes_[i] = (u[i] - start_[i]) / h;
      u[i] = follows ? start_[i] : (start_[i] + u[i]) / 2;
    }
    if (follows) instance_->set_slopes(slopes_);
  }

 private:
  std::span<double> inputs() const { return instance_->continuous_inputs(); }

  models::Instance* instance_;
  std::vector<double> start_, end_, slopes_;
};

}  // namespace tutti::master
