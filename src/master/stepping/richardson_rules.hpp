// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/history.hpp"
#include "master/stepping/step_controller.hpp"

namespace tutti::master {

/// A step from t on, whole and in two halves.
struct HalvedStep {
  double t = 0, h = 0;
  std::vector<double> y0;  ///< at t
  std::vector<double> ym;  ///< at t + h/2, after the first half
  std::vector<double> y1;  ///< at t + h, after the whole step
  std::vector<double> y2;  ///< at t + h, after both halves
  History past;            ///< before t
};

/// In what the variants of Richardson extrapolation differ: error of a step, and what follows.
/// Notation: q order of the extrapolation of inputs, w = atol + rtol |y2|.
class RichardsonRules {
 public:
  explicit RichardsonRules(const ControlSettings& settings);
  /// Before a step.
  void look_at(SteppedSystem& system);

  /// The EAS master counts each output once, others each connection.
  bool counts_each_connection() const { return variant_ != ControlVariant::eas; }
  bool uses_the_past() const { return variant_ == ControlVariant::tutti && order_ > 0; }
  /// Not a number: values are not.
  double error(const HalvedStep& step);
  bool accepts(double error) const;
  /// What the error is as: this power of the step.
  double power() const { return power_; }
  void keep(Memory& memory) { memory(power_); }
  /// From this step to the next, without and with its limits.
  double suggested(double error) const;
  double factor(double error) const;

 private:
  template <class Term>
  double norm(const std::vector<double>& y, const Term& term) const;
  double estimate(const HalvedStep& step, ErrorEstimator estimator) const;
  double bend(const HalvedStep& step);

  ControlVariant variant_;
  std::optional<ErrorEstimator> estimator_;
  double atol_, rtol_, safety_, shrink_, grow_;
  std::uint32_t order_ = 0;
  double power_ = 2;
};

}  // namespace tutti::master
