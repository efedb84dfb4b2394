// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>

namespace tutti::solvers {

/// The size of the next step from the error of this one and the trend of the last two, for
/// estimates of order 3 (K. Gustafsson; E. Hairer, G. Wanner, Solving Ordinary Differential
/// Equations II, 2nd edition, IV.8, equations 8.21 to 8.25). An error is in units of its tolerance.
class PredictiveControl {
 public:
  struct Settings {
    double safe = 0.9;  ///< safety factor for the next step
    double fac1 = 0.2;  ///< minimum ratio of a step to the one before...
    double fac2 = 8;    ///< ...and maximum ratio
  };
  explicit PredictiveControl(const Settings& settings) : settings_(settings) {}

  void restart() {
    was_rejected_ = false;
    accepted_h_ = 0;
  }
  /// No step was accepted since the start.
  bool is_first() const { return accepted_h_ == 0; }
  bool was_rejected() const { return was_rejected_; }

  /// The next size after an accepted step. It does not increase after a rejection.
  /// @param effort shortens it further, up to 1: not at all
  double next_size(double h, double error, double effort = 1) {
    double divisor = divisor_of(error, effort);
    if (!is_first()) {
      const double trend =
          accepted_h_ / h * std::pow(error * error / accepted_error_, 0.25) / settings_.safe;
      divisor = std::max(divisor, clamped(trend));
    }
    tried_h_ = h;
    tried_error_ = std::max(1e-2, error);
    return was_rejected_ ? std::min(h / divisor, h) : h / divisor;
  }
  /// The size of the next attempt after a rejection.
  double reduced_size(double h, double error, double effort = 1) const {
    return h / divisor_of(error, effort);
  }
  void reject() { was_rejected_ = true; }
  /// Accepts the step of the last next_size().
  void accept() {
    accepted_h_ = tried_h_;
    accepted_error_ = tried_error_;
    was_rejected_ = false;
  }
  /// Its size.
  double tried_size() const { return tried_h_; }

 private:
  double clamped(double divisor) const {
    return std::clamp(divisor, 1 / settings_.fac2, 1 / settings_.fac1);
  }
  double divisor_of(double error, double effort) const {
    return clamped(std::pow(error, 0.25) / (settings_.safe * effort));
  }

  Settings settings_;
  bool was_rejected_ = false;
  double tried_h_ = 0, tried_error_ = 0, accepted_h_ = 0, accepted_error_ = 0;
};

}  // namespace tutti::solvers
