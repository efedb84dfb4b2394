// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/history.hpp"
#include "master/stepping/step_controller.hpp"

namespace tutti::master {

/// How wrong the inputs of a step were, as the values that came at its end tell.
///
/// Where a component takes an input for a polynomial p of degree q through some nodes, it is wrong
/// by
///   u(t + s) - p(s) = d w(s),   w(s) = product of (s - node),   d = u^(q+1)/(q + 1)!
/// and d is the divided difference of the values at the end and at the last q + 1 points: what was
/// received less what these points predicted, over the product of the distances. States take in
/// the mean of the error over the step, outputs with direct feed-through its value at the end.
class Prediction {
 public:
  Prediction(double atol, double rtol) : atol_(atol), rtol_(rtol) {}

  /// A step begins at t. What is pushed is never taken back: only accepted steps lead to a new t.
  void begin(const SteppedSystem& system, double t);
  /// After a step of h: root mean square over the connections, over atol + rtol |y|. Not a number:
  /// values are not.
  double error(const SteppedSystem& system, double h);
  /// What the error is as: this power of the step.
  double power() const { return power_; }
  void forget() { past_.clear(); }

 private:
  double atol_, rtol_, power_ = 1;
  History past_;  ///< up to the begin of the step
  std::vector<double> y_;
};

/// Mean over the step, or value at its end, of |w(s)| for inputs of this model. `a` and `b` are the
/// distances from the begin of the step back to the points before.
double node_polynomial(const SteppedSystem::InputModel& model, double h, double a, double b);

}  // namespace tutti::master
