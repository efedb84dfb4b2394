// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/history.hpp"

namespace tutti::master {

/// Some signals over a step of h, as polynomials of the time s since its start:
///   u(s) = u + s u' + s^2/2 u''
struct Parabolas {
  double begin = 0, length = 0;  ///< of the step
  std::vector<double> start, slopes, curvatures;
  /// Part of h^2 u''/2 in constant(): 1/4 is the value in the middle, 1/3 is the mean.
  double of_curvature = 1.0 / 4;

  /// Constant for now; the values follow.
  void reset(double t, double h, std::size_t count) {
    begin = t;
    length = h;
    start.resize(count);
    slopes.assign(count, 0);
    curvatures.assign(count, 0);
  }
  void lead(std::size_t i, const Derivatives& on) {
    slopes[i] = on.first;
    curvatures[i] = on.second;
  }
  double at(std::size_t i, double t) const {
    const double s = t - begin;
    return start[i] + s * (slopes[i] + s / 2 * curvatures[i]);
  }
  double slope_at(std::size_t i, double t) const { return slopes[i] + (t - begin) * curvatures[i]; }
  /// Replaces the curve for a component that accepts values only.
  double constant(std::size_t i) const {
    return constant(start[i], slopes[i], curvatures[i], length);
  }
  double constant(double u, double slope, double curvature, double h) const {
    return u + h / 2 * (slope + h * of_curvature * curvature);
  }
  void keep(Memory& memory) { memory(begin, length, start, slopes, curvatures); }
};

/// The start of signals without past: with known slopes, and perhaps in short parts. The past keeps
/// only the start of the first part, so that the parts do not amplify noise.
class SignalStart {
 public:
  void set_slopes(std::span<const double> slopes) { slopes_.assign(slopes.begin(), slopes.end()); }
  void forget_slopes() { slopes_.clear(); }
  double slope(std::size_t i) const { return slopes_.empty() ? 0 : slopes_[i]; }

  void begin_parts() { in_parts_ = true; }
  bool in_parts() const { return in_parts_; }
  /// The first part starts.
  void note_origin(double t, std::span<const double> values) {
    origin_time_ = t;
    origin_.assign(values.begin(), values.end());
  }
  void end_parts(History& past) {
    in_parts_ = false;
    if (past.count() == 0) return;  // there was an event
    past.clear();
    past.push(origin_time_, origin_);
  }
  void keep(Memory& memory) { memory(in_parts_, origin_time_, slopes_, origin_); }

 private:
  std::vector<double> slopes_;  ///< empty: constant
  bool in_parts_ = false;
  double origin_time_ = 0;
  std::vector<double> origin_;
};

}  // namespace tutti::master
