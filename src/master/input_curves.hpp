// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <tutti/system.hpp>
#include <vector>

#include "master/output_derivatives.hpp"
#include "master/parabolas.hpp"

namespace tutti::master {

/// The continuous inputs of one component over a step, as polynomials of the time. Where the value
/// at the end of the step is known (an iterate, a table, the output of a component that has stepped
/// already), they lead there; elsewhere they go on as in the past. A component that takes values
/// only gets the one in the middle of the step, or the mean.
class InputCurves {
 public:
  struct Input {
    InputSettings settings;
    bool knows_end = false;
    bool keeps_start = false;                        ///< held, it is the value at the start
    const OutputDerivatives* derivatives = nullptr;  ///< of the output that feeds it; none
    std::size_t index = 0;                           ///< among them
    double factor = 1;                               ///< from there
  };
  explicit InputCurves(models::Instance& instance) : instance_(&instance) {}
  /// By continuous input. Those that nothing drives hold.
  void describe(std::vector<Input> inputs) { inputs_ = std::move(inputs); }
  const Input& input(std::size_t i) const { return inputs_[i]; }
  /// A component that takes values only gets the mean over the step, not the value in the middle,
  /// which misses h^2 u''/24 of it.
  void give_means() { step_.of_curvature = 1.0 / 3; }

  /// A step begins at t, and the inputs are those of t.
  void begin(double t);
  /// Where the step begins an input is so far from where it was led that it must have jumped.
  bool jumps() const { return jumps_; }
  /// The inputs are those meant for the end of the step, those of a cycle perhaps not yet.
  void aim() { end_.assign(values().begin(), values().end()); }
  /// The inputs are what was aimed at; to be changed before the component goes.
  void take_aim() { std::copy(end_.begin(), end_.end(), values().begin()); }
  /// Over the next step an input goes along this line, whatever was aimed at.
  void take_line(std::size_t i, double start, double end) {
    lines_.resize(inputs_.size());
    lines_[i] = {start, end, true, false};
  }
  struct Ends {
    double start = 0, end = 0;
  };
  /// What an input that is aimed at does over a step of h, as far as that is known, and what the
  /// component will be shown of it.
  struct Outlook {
    Ends real, shown;
  };
  Outlook outlook(std::size_t i, double h) const;
  /// The component gets its curves over a step of h.
  void go(double h);
  /// How the inputs go on from a point without past: at the start of the run.
  void start_with(std::span<const double> slopes) { origin_.set_slopes(slopes); }
  /// The first step is taken in parts, in which inputs are lines.
  void start_in_parts() { origin_.begin_parts(); }
  void end_parts();
  /// The past has nothing to say about what follows: there was an event.
  void forget();

  /// What the component saw of an input at t, at the end of its last step, and its derivatives.
  double seen(std::size_t input, double t) const {
    return follows() ? step_.at(input, t) : step_.constant(input);
  }
  double seen_slope(std::size_t input, double t) const {
    return follows() ? step_.slope_at(input, t) : 0;
  }
  double seen_curvature(std::size_t input) const { return follows() ? step_.curvatures[input] : 0; }
  /// What an input was led along in the last step.
  struct Curve {
    double start = 0, slope = 0, curvature = 0;
    std::optional<double> constant;  ///< the component takes values only: it got this one
  };
  Curve given(std::size_t input) const {
    Curve result{step_.start[input], step_.slopes[input], step_.curvatures[input], {}};
    if (!follows()) result.constant = step_.constant(input);
    return result;
  }
  /// What was aimed at where the last step followed take_line(): that may lead elsewhere on
  /// purpose.
  std::optional<double> predicted(std::size_t input) const {
    if (input >= lines_.size() || !lines_[input].was_set) return {};
    return end_[input];
  }
  /// Of the polynomial that it would go on with by differences, if `now` is its value at t.
  Derivatives shown(std::size_t input, double now, double t) const;

  void keep(Memory& memory) { memory(past_, past_slopes_, has_curves_, step_, origin_); }

 private:
  std::span<double> values() const { return instance_->continuous_inputs(); }
  bool follows() const { return instance_->follows_curves(); }
  /// Of the curve to the value at the end of a step of h.
  Derivatives towards(std::size_t i, double end, double h) const;
  void lead(std::size_t i, double end, double h);
  void extrapolate(std::size_t i, double h);
  /// If its end is not known, it starts where it was led in the step before.
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
  bool has_curves_ = false;  ///< there was one since the last event
  bool has_joint_ = false, jumps_ = false;
  std::vector<double> joint_;  ///< where the curves of the step before ended
  std::vector<double> end_;    ///< what is aimed at
  std::vector<double> told_;   ///< slopes, by the FMUs
  struct Line {
    double start = 0, end = 0;
    bool is_set = false, was_set = false;
  };
  std::vector<Line> lines_;  ///< of take_line()
};

}  // namespace tutti::master
