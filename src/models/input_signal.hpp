// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <vector>

#include "models/value_set.hpp"

namespace tutti::models {

/// The inputs of a model as functions of time.
class InputSignal {
 public:
  virtual ~InputSignal() = default;
  /// Writes the values at t into `inputs`: the right-hand limits...
  virtual void write(double t, ValueSet& inputs) = 0;
  /// ...or the left-hand limits. The two differ where an input jumps.
  virtual void write_before(double t, ValueSet& inputs) = 0;
  /// The first time after t at which an input jumps; infinity if there is none.
  virtual double next_jump(double t) const = 0;
  /// An integrator follows the inputs and neglects deviations small against rtol |u|...
  virtual void resolve(double /*rtol*/) {}
  /// ...so it must stop at this time, the next one after t, to resolve all others; infinity if
  /// there is none.
  virtual double next_knot(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
};

/// Continuous inputs as parabolas that start at a time:
///   u(t) = u + s slope + s^2/2 curvature, s = t - start
class CurveSignal final : public InputSignal {
 public:
  /// The next polynomials, from begin() on. @param curvatures empty: linear; no slopes: constant
  void set_next(std::span<const double> slopes, std::span<const double> curvatures) {
    next_slopes_.assign(slopes.begin(), slopes.end());
    next_curvatures_.assign(curvatures.begin(), curvatures.end());
  }
  bool is_constant_next() const { return next_slopes_.empty(); }
  void begin(double t, std::span<const double> values) {
    start_ = t;
    values_.assign(values.begin(), values.end());
    slopes_ = next_slopes_;
    curvatures_ = next_curvatures_;
    curvatures_.resize(slopes_.size());
  }
  void write(double t, ValueSet& inputs) override {
    const std::span<double> now = inputs.continuous_doubles();
    const double s = t - start_;
    for (std::size_t i = 0; i < now.size(); ++i)
      now[i] = values_[i] + s * (slopes_[i] + s / 2 * curvatures_[i]);
  }
  void write_before(double t, ValueSet& inputs) override { write(t, inputs); }
  double next_jump(double /*t*/) const override { return std::numeric_limits<double>::infinity(); }

 private:
  double start_ = 0;
  std::vector<double> values_, slopes_, curvatures_, next_slopes_, next_curvatures_;
};

}  // namespace tutti::models
