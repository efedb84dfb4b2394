// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "base/infinity.hpp"
#include "models/run_needs.hpp"

namespace tutti::master {

/// The steps of a run that were too inaccurate and could not be rolled back.
///
/// An input error of E tolerances over a step of h changes the states of a component whose fastest
/// rate is rho by about E min(1, rho h); one that lasts for the whole run, and is of E h/span, does
/// the same. A jump in a step that is as short as the tolerance times the span comes slightly late
/// and has no larger effect. These effects add up. If the sum is too large, the run is repeated
/// from its start, with short steps at the times of the large errors.
class InaccurateSteps {
 public:
  using Windows = std::vector<models::RunNeeds::ShortSteps>;

  /// `windows`: where the steps of this run are short.
  InaccurateSteps(double span, Windows windows) : span_(span), windows_(std::move(windows)) {}
  /// `rate`: the fastest one of all components; `late`: the acceptable delay of a jump.
  void describe(double rate, double late, double minimum_step) {
    rate_ = rate;
    late_ = late;
    minimum_ = minimum_step;
  }

  /// The end of the longest step from t.
  double limit(double t) { return window_ == windows_.size() ? infinity : limit_in_windows(t); }
  void add(double t, double h, double error, bool jumps);
  /// A step was accurate.
  void end_row() { in_a_row_ = 0; }
  /// Sum of the estimated errors, in tolerances.
  double sum() const { return sum_; }
  bool is_too_large() const { return sum_ > most || is_hopeless(); }
  /// Short steps would not help: values grow, or all steps are inaccurate.
  bool is_hopeless() const { return sum_ > hopeless || is_row() || steps_.size() >= most_steps; }
  bool is_row() const { return in_a_row_ >= most_in_a_row; }
  /// For the next run. If they equal those of this run, another run is useless.
  Windows next() const;

 private:
  double limit_in_windows(double t);

  static constexpr double most = 10, hopeless = 1e7;
  static constexpr double far_off = 1e3;  ///< an error that shorter steps cannot reduce enough
  static constexpr std::size_t most_steps = 10'000;
  static constexpr int most_in_a_row = 50;
  struct Step {
    double t, h, effect;
  };

  double span_, rate_ = 0, late_ = 0, minimum_ = 0;
  Windows windows_;
  std::size_t window_ = 0;  ///< the next one that does not end before the present time
  std::vector<Step> steps_;
  double sum_ = 0;
  int in_a_row_ = 0;
};

/// Where windows overlap, the shortest steps apply.
InaccurateSteps::Windows merged(const InaccurateSteps::Windows& windows);

}  // namespace tutti::master
