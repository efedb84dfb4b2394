// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/value_set.hpp"

namespace tutti::models {

/// What acts on a model from lines at its ports: inputs that follow from waves that arrive and from
/// the model's own outputs. It reads and writes the values of the instance, whose ValueSets it
/// knows.
///
///   begin() before each step; inside it apply() and correct(), as often as the model evaluates its
///   equations; accept() whenever the model has accepted a point in time, and after events there.
///   A step that is repeated starts with begin() again; publish() once it is not repeated any more.
class Boundary {
 public:
  virtual ~Boundary() = default;

  /// Outputs that are read inside a step; none: it acts at the start of steps only.
  virtual std::span<const std::int32_t> read_inside() const = 0;
  /// The model reads them into this set.
  virtual void read_from(const ValueSet& inside) = 0;

  /// A step of h starts at t, to which the outputs belong: the inputs are written. Those that move
  /// inside the step get slopes, by continuous input; all others have 0.
  virtual void begin(double t, double h, std::vector<double>& slopes) = 0;
  /// The inputs at t inside a step, from what was read inside; or those that held until t.
  virtual void apply(double t, bool before) = 0;
  /// Outputs that follow these inputs at once have been read again: do they agree? False: the
  /// inputs have been corrected.
  virtual bool correct() = 0;
  /// Some may.
  virtual bool has_feed_through() const = 0;
  /// The model is at t and will not return behind it, unless the whole step is repeated. Its flows
  /// are what was read inside, or else its outputs. `slopes` are their time derivatives, by
  /// variable of read_inside(), NaN where they are not known; none: no one is.
  virtual void accept(double t, bool inside, std::span<const double> slopes = {}) = 0;
  /// The island has accepted t: what the model accepted up to there is sent. Again at the same t:
  /// no harm.
  virtual void publish(double t) = 0;
  /// The first time after t at which what arrives jumps; infinity: none is known.
  virtual double next_jump(double t) = 0;
};

}  // namespace tutti::models
