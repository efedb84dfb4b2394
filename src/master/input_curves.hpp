// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <tutti/system.hpp>
#include <vector>

#include "master/output_derivatives.hpp"
#include "master/parabolas.hpp"

namespace tutti::master {

/// The continuous inputs of one component over a step, as polynomials of the time. Where the value
/// at the end of the step is known (an iterate, a table, the output of a component that has already
/// stepped), they end there; otherwise they extrapolate the past. A component that accepts values
/// only gets the value in the middle of the step, or the mean.
class InputCurves {
 public:
  struct Input {
    InputSettings settings;
    bool knows_end = false;
    bool keeps_start = false;                        ///< if constant, it is the value at the start
    const OutputDerivatives* derivatives = nullptr;  ///< of the output that feeds it; null: none
    std::size_t index = 0;                           ///< among them
    double factor = 1;                               ///< applied to these
  };
  explicit InputCurves(models::Instance& instance) : instance_(&instance) {}
  /// By continuous input. Inputs without source stay constant.
  void describe(std::vector<Input> inputs) { inputs_ = std::move(inputs); }
  const Input& input(std::size_t i) const { return inputs_[i]; }
  /// A component that accepts values only gets the mean over the step, not the value in the middle,
  /// which differs from it by h^2 u''/24.
  void give_means() { step_.of_curvature = 1.0 / 3; }

  /// A step starts at t, and the inputs are those of t.
  void begin(double t);
  /// At the start of the step an input is so far from its extrapolation that it must have jumped.
  bool jumps() const { return jumps_; }
  /// The inputs are those for the end of the step, except perhaps those of a cycle.
  void aim() { end_.assign(values().begin(), values().end()); }
  /// The inputs are the targets at the end of the step; to be changed before the component steps.
  void take_aim() { std::copy(end_.begin(), end_.end(), values().begin()); }
  /// Over the next step an input follows this line, whatever its target is.
  void take_line(std::size_t i, double start, double end) {
    lines_.resize(inputs_.size());
    lines_[i] = {start, end, true, false};
  }
  struct Ends {
    double start = 0, end = 0;
  };
  /// The course of an input with a target over a step of h, as far as known, and the part of it
  /// that the component receives.
  struct Outlook {
    Ends real, shown;
  };
  Outlook outlook(std::size_t i, double h) const;
  /// Passes the curves over a step of h to the component.
  void go(double h);
  /// Sets the slopes of the inputs at a point without past: the start of the run.
  void start_with(std::span<const double> slopes) { origin_.set_slopes(slopes); }
  /// The first step is divided into parts in which inputs are lines.
  void start_in_parts() { origin_.begin_parts(); }
  void end_parts();
  /// After an event the past does not predict what follows.
  void forget();

  /// The value of an input that the component received at t, the end of its last step, and its
  /// derivatives.
  double seen(std::size_t input, double t) const {
    return follows() ? step_.at(input, t) : step_.constant(input);
  }
  double seen_slope(std::size_t input, double t) const {
    return follows() ? step_.slope_at(input, t) : 0;
  }
  double seen_curvature(std::size_t input) const { return follows() ? step_.curvatures[input] : 0; }
  /// The course of an input in the last step.
  struct Curve {
    double start = 0, slope = 0, curvature = 0;
    std::optional<double> constant;  ///< the component accepts values only, and got this one
  };
  Curve given(std::size_t input) const {
    Curve result{step_.start[input], step_.slopes[input], step_.curvatures[input], {}};
    if (!follows()) result.constant = step_.constant(input);
    return result;
  }
  /// The target where the last step followed take_line(), which may end elsewhere on purpose.
  std::optional<double> predicted(std::size_t input) const {
    if (input >= lines_.size() || !lines_[input].was_set) return {};
    return end_[input];
  }
  /// Of the polynomial by differences that would extrapolate it, if `now` is its value at t.
  Derivatives shown(std::size_t input, double now, double t) const;

  void keep(Memory& memory) { memory(past_, past_slopes_, has_curves_, step_, origin_); }

 private:
  std::span<double> values() const { return instance_->continuous_inputs(); }
  bool follows() const { return instance_->follows_curves(); }
  /// Of the curve that ends at the value at the end of a step of h.
  Derivatives towards(std::size_t i, double end, double h) const;
  void lead(std::size_t i, double end, double h);
  void extrapolate(std::size_t i, double h);
  /// If its end is unknown, it starts at the end of the curve of the previous step.
  bool is_smoothed(std::size_t i) const;
  bool has_jumped(std::size_t i, double now) const;
  Derivatives derivatives_of(std::size_t i) const;
  std::uint32_t order_of(std::size_t i) const {
    return std::min(inputs_[i].settings.order, origin_.in_parts() ? 1u : 2u);
  }

  models::Instance* instance_;
  std::vector<Input> inputs_;
  History past_, past_slopes_;
  SignalStart origin_;
  Parabolas step_;           ///< the last one
  bool has_curves_ = false;  ///< there was a step since the last event
  bool has_joint_ = false, jumps_ = false;
  std::vector<double> joint_;         ///< end points of the curves of the previous step
  std::vector<double> end_;           ///< targets
  std::vector<double> given_slopes_;  ///< slopes, by the FMUs
  struct Line {
    double start = 0, end = 0;
    bool is_set = false, was_set = false;
  };
  std::vector<Line> lines_;  ///< of take_line()
};

}  // namespace tutti::master
