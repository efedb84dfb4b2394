// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <tutti/control_settings.hpp>
#include <tutti/error.hpp>
#include <vector>

#include "master/checkpoint.hpp"
#include "models/instance.hpp"

namespace tutti::master {

/// What a step controller sees of a coupled system: something that can try a step, tell the values
/// at its couplings, and go back.
class SteppedSystem {
 public:
  virtual ~SteppedSystem() = default;

  /// What a component takes an input for inside a step.
  struct InputModel {
    /// A polynomial of this degree...
    std::uint32_t order = 0;
    /// ...through the last points; with all derivatives at the last point, or with the first one
    /// and its past; or through the end of the step and points before.
    enum class Basis : std::uint8_t { points, derivatives, slopes, end } basis = Basis::points;
    /// Outputs depend directly on it: its error at the end of the step is theirs.
    bool feeds_through = false;
  };

  struct Attempt {
    /// Where all components are now, and what they say there...
    models::StepOutcome outcome;
    /// ...or why they are not at one time: the system must go back.
    enum class Failure : std::uint8_t { none, not_converged, cut } failure = Failure::none;
    double cut = 0;         ///< where a component ended its step; t: nowhere
    bool ends_run = false;  ///< it asked to end the run there
  };
  /// All components from t to t + h. `states` were saved at t, or null: then cycles that iterate
  /// save what they need themselves. `detour` is how much too long the first pass of everything is,
  /// which only the imitation of other masters needs.
  virtual Attempt attempt(double t, double h, const Checkpoint* states, double detour = 0) = 0;
  virtual void save(Checkpoint& into) = 0;
  virtual void restore(const Checkpoint& from) = 0;
  /// The real values that are coupled: of each output once, or once for each connection.
  virtual void couplings(bool each_connection, std::vector<double>& values) const = 0;
  /// Some cycle repeats its steps.
  virtual bool iterates() const = 0;
  /// Some output depends directly on an input.
  virtual bool has_feed_through() const = 0;
  /// save() and restore() are allowed. Where they are not, a step that fails has moved nobody.
  virtual bool can_go_back() const = 0;
  /// The lowest order that inputs are extrapolated with.
  virtual std::uint32_t input_order() const = 0;
  /// For each connection, as couplings() has them. Fewer: the others are held.
  virtual std::span<const InputModel> input_models() const = 0;
};

/// No step from t on is good enough. All components are at t.
class StepFailed : public Error {
 public:
  explicit StepFailed(const std::string& message) : Error(ErrorCode::numeric, message) {}
};

/// A step that was accepted.
struct ControlledStep {
  models::StepOutcome outcome;
  double h = 0;
  double error = 0;         ///< its norm; above 1 only at the smallest step, 0: there was no test
  std::uint32_t steps = 1;  ///< communication steps that it is counted as; 0: time stands still
};

/// How often what was tried did not do.
struct ControlCounts {
  std::uint64_t convergence_failures = 0, error_test_failures = 0;
  /// Though they failed: steps of the smallest size, and steps that could not be taken back.
  std::uint64_t accepted_at_min = 0, accepted_without_return = 0;
  double worst_without_return = 0;  ///< largest error of the latter
};

/// Chooses the communication steps: tries, judges, goes back and tries again.
class StepController {
 public:
  virtual ~StepController() = default;
  /// One step from t on, not beyond `limit`. @throws StepFailed, Error
  virtual ControlledStep advance(SteppedSystem& system, double t, double limit) = 0;
  const ControlCounts& counts() const { return counts_; }
  /// Where another one left off.
  void count_on(const ControlCounts& counts) { counts_ = counts; }
  /// The step that will be tried next.
  virtual double next_step() const = 0;
  /// There was an event: the past says nothing about what follows.
  virtual void forget() {}

 protected:
  ControlCounts counts_;
};

/// `h` is the first step. @pre smallest and largest step are given; steps of a fixed size are only
/// for other clocks and ends than those of a TimeGrid
std::unique_ptr<StepController> make_step_controller(const ControlSettings& settings, double h);

}  // namespace tutti::master
