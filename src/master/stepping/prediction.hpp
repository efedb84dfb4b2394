// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/history.hpp"
#include "master/stepping/step_controller.hpp"

namespace tutti::master {

/// The errors of the inputs of a step, from the values at its end.
///
/// Where a component receives a polynomial p of degree q through some nodes, its error is
///   u(t + s) - p(s) = d w(s),   w(s) = product of (s - node),   d = u^(q+1)/(q + 1)!
/// and d is the divided difference of the values at the end and at the last q + 1 points: the
/// actual minus the extrapolated value, divided by the product of the distances. States see the
/// mean of the error over the step, outputs with direct feed-through its value at the end.
///
/// Where the end of the step was predicted in another way, the error is the actual minus the
/// predicted value; and constants that cannot have the effect of lines on all states lose as much
/// as those in the middle of a step, see below.
///
/// A component that accepts values only gets p(h/2) for the whole step instead. That is right in
/// the mean, with an error of u' (s - h/2): in a component whose fastest rate is rho, the states
/// see
///   (h/2) |u'| min(1, rho h/6)
/// of it, and outputs with direct feed-through (h/2) |u'|.
class Prediction {
 public:
  Prediction(double atol, double rtol) : atol_(atol), rtol_(rtol) {}

  /// A step starts at t. Points are never removed: only accepted steps lead to a new t.
  void begin(const SteppedSystem& system, double t);
  /// After a step of h: root mean square over the connections, relative to atol + rtol |y|. NaN:
  /// values are not finite.
  double error(SteppedSystem& system, double h);
  /// Its contributions, by connection. @pre error(), of a system that notes inputs
  std::span<const InputRecord> inputs() const { return inputs_; }
  /// The power of the step that the error is proportional to: that of the largest contribution.
  double power() const { return power_; }
  void forget() { past_.clear(); }
  void keep(Memory& memory) { memory(power_, past_); }

 private:
  double error_of_signals(SteppedSystem& system, double h);
  struct Part {
    double error = 0, power = 1;
  };
  /// With a shorter past an input is of a lower order, or has no better estimate.
  InputModel as_known(InputModel model) const;
  /// Of one connection over a step of h.
  Part error_of(const CoupledInputs& inputs, std::size_t connection, InputModel model,
                double h) const;
  /// The same with its sign, and the received signal.
  InputRecord record_of(const CoupledInputs& inputs, std::size_t connection, InputModel model,
                        double h) const;
  double measured_error(std::size_t connection, const InputModel& model, double h) const;
  /// Of the polynomial through the end of the step and all points before.
  StepSignal signal_of(std::size_t connection, double h) const;
  /// Newton's divided difference of the end of the step and the `order` + 1 points before.
  double divided_difference(std::size_t connection, std::uint32_t order, double end) const;

  double atol_, rtol_, power_ = 1;
  History past_;  ///< up to the start of the step
  std::vector<double> y_;
  std::vector<InputRecord> inputs_;
};

/// Of w(s): its mean over the step, its value and its slope at the end.
struct NodePolynomial {
  double mean = 0, end = 0, slope = 0;
};
/// `a` and `b` are the distances from the start of the step back to the points before.
NodePolynomial nodes_of(const InputModel& model, double h, double a, double b);

/// Mean over the step, or value at its end, of |w(s)|, as relevant for inputs of this model.
double node_polynomial(const InputModel& model, double h, double a, double b);

/// The part of the change in a step of h that is lost where a component uses the value in the
/// middle for the whole step.
double lost_by_constant(const InputModel& model, double h);

}  // namespace tutti::master
