// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/infinity.hpp"

namespace tutti::master {

/// What a component takes an input for inside a step.
struct InputModel {
  /// A polynomial of this degree...
  std::uint32_t order = 0;
  /// ...through the last points; with all derivatives at the last point, or with the first one and
  /// its past; or through the end of the step and points before.
  enum class Basis : std::uint8_t { points, derivatives, slopes, end } basis = Basis::points;
  /// Outputs depend directly on it: its error at the end of the step is theirs.
  bool feeds_through = false;
  /// The component takes values only: the one in the middle of the step is constant over it. Of
  /// predicted inputs: and constants do not move all states as they should.
  bool is_constant = false;
  double rate = infinity;  ///< the fastest one of the component, 1/s; infinity: it is not known
};

/// What a component was given of a connection over the last step, as a polynomial of the time s
/// since its start, in terms of the output that feeds it.
struct GivenCurve {
  double start = 0, slope = 0, curvature = 0;
  std::optional<double> constant;  ///< it takes values only: it got this one instead
  double at(double s) const { return start + s * (slope + s / 2 * curvature); }
};

/// A signal over a step: its mean, its value and its slope at the end.
struct StepSignal {
  double mean = 0, end = 0, slope = 0;
};

/// What a component was given of a connection over a step.
struct InputRecord {
  StepSignal given, error;    ///< the error: less what it should have been given
  double of_outputs = 0;      ///< error at the end with which direct feed-through leaves outputs
  bool is_predicted = false;  ///< the coupling method chose it for its effect on the states
};

/// What a step controller sees of the inputs that are coupled, connection by connection as
/// SteppedSystem::couplings() has them.
class CoupledInputs {
 public:
  /// Fewer than connections: the others are constant.
  virtual std::span<const InputModel> models() const { return {}; }
  /// The lowest order that inputs are extrapolated with.
  virtual std::uint32_t lowest_order() const { return 0; }
  /// The end of the longest step from t on, at most `end`, whose inputs from outside are near
  /// enough to what the components receive. It is not shorter than `min`, unless inputs bend.
  /// @throws Error(numeric) if that is not near enough
  virtual double limit(double /*t*/, double end, double /*min*/) { return end; }
  /// Nothing: it is not known to the system, and constant.
  virtual std::optional<GivenCurve> given(std::size_t /*connection*/) const { return {}; }
  /// What was predicted for the end of the last step less what came, if the coupling method
  /// predicted it and led the inputs so that the states become what they should be. Then nothing
  /// else is an error.
  virtual std::optional<double> missed_prediction(std::size_t /*connection*/,
                                                  double /*end*/) const {
    return {};
  }
  /// Of an input that has no effect but on outputs at the end of the step, which are corrected: how
  /// wrong they may be nevertheless, over their tolerance. Nothing: it has other effects.
  virtual std::optional<double> doubt(std::size_t /*connection*/) const { return {}; }
  /// A coupled value that is not real changed in the last step, and components learn of it late.
  virtual bool has_switched() const { return false; }
  /// How much errors count; none: as they are.
  virtual std::span<const double> weights() const { return {}; }
  /// Accepted steps are to be noted.
  virtual bool are_noted() const { return false; }
  /// A step of h was accepted. @pre are_noted()
  virtual void note(double /*h*/, std::span<const InputRecord> /*inputs*/) {}

 protected:
  ~CoupledInputs() = default;
};

}  // namespace tutti::master
