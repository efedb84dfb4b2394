// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <tutti/system.hpp>
#include <vector>

#include "master/history.hpp"
#include "master/output_derivatives.hpp"

namespace tutti::master {

/// The continuous inputs of one component over a step, as polynomials of the time s since its
/// begin:
///   u(s) = u + s u' + s^2/2 u''
/// Where the value at the end of the step is known (an iterate, a table, the output of a component
/// that has stepped already), they lead there; elsewhere they go on as in the past. A component
/// that takes values only gets the one in the middle of the step, or the mean.
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
  void give_means() { of_curvature_ = 1.0 / 3; }

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
  void start_with(std::span<const double> slopes) {
    start_slopes_.assign(slopes.begin(), slopes.end());
  }
  /// The first step is taken in parts, in which inputs are lines. When it ends, all that the past
  /// knows of it is where it started, so that its short parts do not multiply noise.
  void start_in_parts() { in_parts_ = true; }
  void end_parts();
  /// The past has nothing to say about what follows: there was an event.
  void forget();

  /// What the component saw of an input at t, at the end of its last step, and its derivatives.
  double seen(std::size_t input, double t) const {
    return follows() ? curve(input, t - begin_) : constant(input);
  }
  double seen_slope(std::size_t input, double t) const {
    return follows() ? slopes_[input] + (t - begin_) * curvatures_[input] : 0;
  }
  double seen_curvature(std::size_t input) const { return follows() ? curvatures_[input] : 0; }
  /// What an input was led along in the last step.
  struct Curve {
    double start = 0, slope = 0, curvature = 0;
    std::optional<double> constant;  ///< the component takes values only: it got this one
  };
  Curve given(std::size_t input) const {
    Curve result{start_[input], slopes_[input], curvatures_[input], {}};
    if (!follows()) result.constant = constant(input);
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

  void keep(Memory& memory) {
    memory(past_, past_slopes_, has_curves_, begin_, length_, start_, slopes_, curvatures_);
    memory(in_parts_, origin_time_, start_slopes_, origin_);
  }

 private:
  std::span<double> values() const { return instance_->continuous_inputs(); }
  bool follows() const { return instance_->follows_curves(); }
  double curve(std::size_t i, double s) const {
    return start_[i] + s * (slopes_[i] + s / 2 * curvatures_[i]);
  }
  /// What stands for the curve where the component takes values only.
  double constant(std::size_t i) const {
    return start_[i] + length_ / 2 * (slopes_[i] + length_ * of_curvature_ * curvatures_[i]);
  }
  /// Of the curve to the value at the end of a step of h.
  Derivatives towards(std::size_t i, double end, double h) const;
  void lead(std::size_t i, double end, double h);
  void extrapolate(std::size_t i, double h);
  /// If its end is not known, it starts where it was led in the step before.
  bool is_smoothed(std::size_t i) const;
  bool has_jumped(std::size_t i, double now) const;
  Derivatives derivatives_of(std::size_t i) const;
  std::uint32_t order_of(std::size_t i) const {
    return std::min(inputs_[i].settings.order, in_parts_ ? 1u : 2u);
  }

  models::Instance* instance_;
  std::vector<Input> inputs_;
  History past_, past_slopes_;
  double begin_ = 0, length_ = 0;  ///< of the last step
  bool has_curves_ = false;        ///< there was one since the last event
  std::vector<double> start_, slopes_, curvatures_;
  double of_curvature_ = 1.0 / 4;
  bool has_joint_ = false, jumps_ = false;
  std::vector<double> joint_;         ///< where the curves of the step before ended
  std::vector<double> end_;           ///< what is aimed at
  std::vector<double> told_;          ///< slopes, by the FMUs
  std::vector<double> start_slopes_;  ///< of start_with(); none: inputs without past are constant
  bool in_parts_ = false;
  double origin_time_ = 0;
  std::vector<double> origin_;  ///< where the first of the parts started
  struct Line {
    double start = 0, end = 0;
    bool is_set = false, was_set = false;
  };
  std::vector<Line> lines_;  ///< of take_line()
};

}  // namespace tutti::master
