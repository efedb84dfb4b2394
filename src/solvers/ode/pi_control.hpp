// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>

namespace tutti::solvers {

/// The size of the next step from the errors of this one and the one before (K. Gustafsson, ACM
/// Trans. Math. Software 17 (1991) 533-554; E. Hairer, G. Wanner, Solving Ordinary Differential
/// Equations II, IV.2, "PI step size control"). An error is in units of its tolerance.
class PiControl {
 public:
  struct Settings {
    double safe = 0.9;      ///< safety factor for the next step
    double fac1 = 0.2;      ///< minimum ratio of a step to the one before...
    double fac2 = 10;       ///< ...and maximum ratio
    double beta = 0;        ///< exponent of the error before; 0: the elementary control
    double exponent = 0.2;  ///< of this error: about 1 / order
    bool rejects = true;
  };
  explicit PiControl(const Settings& settings) : settings_(settings) {}

  void restart() {
    error_before_ = least_error;
    was_rejected_ = false;
  }
  /// Whether a step with this error is accepted.
  bool accepts(double error) const { return error <= 1 || !settings_.rejects; }
  /// The factor for the size after an accepted step. The size does not increase after a rejection.
  double growth(double error) {
    const double divisor = std::pow(error, settings_.exponent) /
                           (settings_.safe * std::pow(error_before_, settings_.beta));
    const double most = was_rejected_ ? std::min(1.0, settings_.fac2) : settings_.fac2;
    error_before_ = std::max(error, least_error);
    was_rejected_ = false;
    return std::clamp(1 / divisor, settings_.fac1, most);
  }
  /// The factor for the size after a rejected step.
  double reduction(double error) {
    was_rejected_ = true;
    return std::max(settings_.fac1, settings_.safe / std::pow(error, settings_.exponent));
  }
  /// The same if the step could not be computed.
  double reduction() {
    was_rejected_ = true;
    return std::max(settings_.fac1, 0.1);
  }

 private:
  static constexpr double least_error = 1e-4;  // smaller ones would let beta shorten the step

  Settings settings_;
  double error_before_ = least_error;
  bool was_rejected_ = false;
};

}  // namespace tutti::solvers
