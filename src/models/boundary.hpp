// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/value_set.hpp"

namespace tutti::models {

/// The inputs that lines impose on a model at its ports: they follow from arriving waves and from
/// the model's own outputs. Reads and writes the ValueSets of the instance.
///
///   begin() before each step; inside it apply() and correct(), as often as the model evaluates its
///   equations; accept() whenever the model has accepted a point in time, and after events there.
///   A step that is repeated starts with begin() again; publish() once it is not repeated any more.
class Boundary {
 public:
  virtual ~Boundary() = default;

  /// Outputs that are read inside a step; empty: inputs are set at the start of steps only.
  virtual std::span<const std::int32_t> read_inside() const = 0;
  /// The model reads them into this set.
  virtual void read_from(const ValueSet& inside) = 0;

  /// A step of h starts at t, to which the outputs belong: writes the inputs. `slopes` gets the
  /// slopes of continuous inputs that change inside the step, 0 for all others.
  virtual void begin(double t, double h, std::vector<double>& slopes) = 0;
  /// Sets the inputs at t inside a step, from the outputs read inside; with `before`, the values
  /// just before t.
  virtual void apply(double t, bool before) = 0;
  /// Outputs with direct feed-through have been read again: whether they agree with the inputs.
  /// False: the inputs have been corrected.
  virtual bool correct() = 0;
  /// Some outputs may have direct feed-through.
  virtual bool has_feed_through() const = 0;
  /// The model is at t and does not return to before t, unless the whole step is repeated. Its
  /// flows are those read inside, or else its outputs. `slopes` are their time derivatives, by
  /// variable of read_inside(), NaN where unknown; empty: all unknown.
  virtual void accept(double t, bool inside, std::span<const double> slopes = {}) = 0;
  /// The island has accepted t: sends everything that the model accepted up to t. May be repeated
  /// at the same t.
  virtual void publish(double t) = 0;
  /// The first time after t at which an arriving wave jumps; infinity: none is known.
  virtual double next_jump(double t) = 0;
};

}  // namespace tutti::models
