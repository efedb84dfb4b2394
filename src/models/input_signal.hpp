// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>

#include "models/value_set.hpp"

namespace tutti::models {

/// The inputs of a model as functions of time.
class InputSignal {
 public:
  virtual ~InputSignal() = default;
  /// Writes the values at t into `inputs`: those that hold from t on...
  virtual void write(double t, ValueSet& inputs) = 0;
  /// ...or those that held until t. The two differ where an input jumps.
  virtual void write_before(double t, ValueSet& inputs) = 0;
  /// The first time after t at which an input jumps; infinity if there is none.
  virtual double next_jump(double t) const = 0;
  /// An integrator follows the inputs, and neglects what is small against rtol |u|...
  virtual void resolve(double /*rtol*/) {}
  /// ...so it has to stop at this time, the next one after t, to miss nothing that is not;
  /// infinity if there is none.
  virtual double next_knot(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
};

}  // namespace tutti::models
