// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/infinity.hpp"

namespace tutti::master {

/// The signal that a component assumes for an input inside a step.
struct InputModel {
  /// A polynomial of this degree...
  std::uint32_t order = 0;
  /// ...through the last points; with all derivatives at the last point, or with the first one and
  /// its past; or through the end of the step and points before.
  enum class Basis : std::uint8_t { points, derivatives, slopes, end } basis = Basis::points;
  /// Outputs depend directly on it: they have its error at the end of the step.
  bool feeds_through = false;
  /// The component accepts values only: the one in the middle of the step is constant over it. For
  /// predicted inputs: also, constants do not have the right effect on all states.
  bool is_constant = false;
  double rate = infinity;  ///< the fastest one of the component, 1/s; infinity: unknown
};

/// The signal that a component received from a connection over the last step, as a polynomial of
/// the time s since its start, in terms of the output that feeds it.
struct GivenCurve {
  double start = 0, slope = 0, curvature = 0;
  std::optional<double> constant;  ///< it accepts values only, and got this one
  double at(double s) const { return start + s * (slope + s / 2 * curvature); }
};

/// A signal over a step: its mean, its value and its slope at the end.
struct StepSignal {
  double mean = 0, end = 0, slope = 0;
};

/// The signal of a connection over a step.
struct InputRecord {
  StepSignal given, error;    ///< the error: minus the exact signal
  double of_outputs = 0;      ///< error of outputs with direct feed-through at the end
  bool is_predicted = false;  ///< chosen by the coupling method for its effect on the states
};

/// The coupled inputs as a step controller sees them, by connection as in
/// SteppedSystem::couplings().
class CoupledInputs {
 public:
  /// Connections beyond its size are constant.
  virtual std::span<const InputModel> models() const { return {}; }
  /// The lowest order that inputs are extrapolated with.
  virtual std::uint32_t lowest_order() const { return 0; }
  /// The end of the longest step from t, at most `end`, over which the components receive inputs
  /// from outside accurately enough. Not shorter than `min`, unless inputs bend.
  /// @throws Error(numeric) if that is not accurate enough
  virtual double limit(double /*t*/, double end, double /*min*/) { return end; }
  /// Empty: unknown to the system, and constant.
  virtual std::optional<GivenCurve> given(std::size_t /*connection*/) const { return {}; }
  /// Predicted minus actual value at the end of the last step, if the coupling method predicted it
  /// and chose the inputs for the right states. Then this is the only error.
  virtual std::optional<double> missed_prediction(std::size_t /*connection*/,
                                                  double /*end*/) const {
    return {};
  }
  /// Of an input that only affects outputs at the end of the step, which are corrected: their
  /// remaining error, relative to their tolerance. Empty: it has other effects.
  virtual std::optional<double> doubt(std::size_t /*connection*/) const { return {}; }
  /// A coupled value that is not real changed in the last step, and components receive it late.
  virtual bool has_switched() const { return false; }
  /// Weights of the errors; empty: no weights.
  virtual std::span<const double> weights() const { return {}; }
  /// Whether accepted steps are recorded.
  virtual bool are_noted() const { return false; }
  /// A step of h was accepted. @pre are_noted()
  virtual void note(double /*h*/, std::span<const InputRecord> /*inputs*/) {}

 protected:
  ~CoupledInputs() = default;
};

}  // namespace tutti::master
