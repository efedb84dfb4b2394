// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>
#include <tutti/control_settings.hpp>
#include <tutti/error.hpp>
#include <vector>

#include "base/infinity.hpp"
#include "base/time_grid.hpp"
#include "master/checkpoint.hpp"
#include "master/memory.hpp"
#include "master/stepping/coupled_inputs.hpp"
#include "models/instance.hpp"

namespace tutti::master {

/// A coupled system as a step controller sees it: it can try a step, report the values at its
/// couplings, and roll back.
class SteppedSystem {
 public:
  virtual ~SteppedSystem() = default;

  struct Attempt {
    /// The time of all components and their status...
    models::StepOutcome outcome;
    /// ...or the reason why their times differ: the system must roll back.
    enum class Failure : std::uint8_t { none, not_converged, cut } failure = Failure::none;
    double cut = 0;         ///< time at which a component ended its step; t: none did
    bool ends_run = false;  ///< it asked to end the run at that time
  };
  /// Steps all components from t to t + h. `states` were saved at t, or null: then cycles that
  /// iterate save their own. The first pass of all components is longer by `excess`, which is only
  /// for the imitation of other masters.
  virtual Attempt attempt(double t, double h, const Checkpoint* states, double excess = 0) = 0;
  /// The same without rollback; returns how the step ended.
  virtual models::StepOutcome step(double t, double h) = 0;
  /// A batch: whole steps from point n of a uniform grid to point `last`, as many as need no
  /// individual check; perhaps none. n becomes the point reached, also if a step throws. If the
  /// step from there does not end plainly, its outcome is returned.
  virtual models::StepOutcome take_steps(const TimeGrid& grid, std::uint64_t& n,
                                         std::uint64_t last) = 0;
  /// All components are at t, after steps without a test. False: values need a check, or the run
  /// must be interrupted.
  virtual bool is_quiet(double t) = 0;
  virtual bool can_vary_step() const = 0;
  /// For messages: `the system`, `component "c"`.
  virtual std::string name() const = 0;
  virtual void save(Checkpoint& into) = 0;
  virtual void restore(const Checkpoint& from) = 0;
  /// The coupled real values: once per output, or once per connection.
  virtual void couplings(bool each_connection, std::vector<double>& values) const = 0;
  /// Whether some cycle repeats its steps.
  virtual bool iterates() const = 0;
  /// Whether some output depends directly on an input.
  virtual bool has_feed_through() const = 0;
  /// Whether save() and restore() are allowed. If not, no component has moved in a step that fails.
  virtual bool can_roll_back() const = 0;
  /// The coupled values as the components receive them.
  virtual CoupledInputs& coupled_inputs() = 0;
  /// Values jumped in the last step: earlier signals do not predict what follows.
  virtual void forget_signals() {}
};

/// No step from t is accurate enough. All components are at t.
class StepFailed : public Error {
 public:
  explicit StepFailed(const std::string& text, ErrorDetails details = {})
      : Error(ErrorCode::numeric, text, std::move(details)) {}
  explicit StepFailed(const Error& error) : Error(error) {}
};

/// A step that was accepted, or several.
struct ControlledStep {
  models::StepOutcome outcome;
  double h = 0;
  double error = 0;         ///< its norm; above 1 only at the minimum step, 0: no test
  std::uint64_t steps = 1;  ///< number of communication steps; 0: time does not advance
  /// Its error is too large, but no shorter step was possible.
  enum class Forced : std::uint8_t { no, at_min, without_rollback } forced = Forced::no;
  bool jumps = false;  ///< ...because a value jumps in it
};

/// Counts of failed attempts.
struct ControlCounts {
  std::uint64_t convergence_failures = 0, error_test_failures = 0;
  /// Accepted although they failed: steps of the minimum size, and steps without rollback.
  std::uint64_t accepted_at_min = 0, accepted_without_rollback = 0;
  double worst_without_rollback = 0;  ///< largest error of the latter
  std::uint64_t failures() const { return convergence_failures + error_test_failures; }
};

/// Chooses the communication steps: tries, tests, rolls back and repeats.
class StepController {
 public:
  virtual ~StepController() = default;
  /// One step from t, not beyond `limit`; or steps up to it, if errors are not tested.
  /// @throws StepFailed, Error
  virtual ControlledStep advance(SteppedSystem& system, double t, double limit) = 0;
  /// The time of the system after advance() has thrown, and the steps up to it.
  struct Partial {
    double time = 0;
    std::uint64_t steps = 0;
  };
  virtual std::optional<Partial> partial() const { return {}; }
  /// The next communication point, if known beforehand.
  virtual double next_point() const { return infinity; }
  /// The communication point that equals t but for rounding errors of a model.
  virtual double meant_point(double t) const { return t; }
  const ControlCounts& counts() const { return counts_; }
  /// Continues the steps of another controller.
  void count_on(const ControlCounts& counts) { counts_ = counts; }
  /// The next step size to be tried.
  virtual double next_step() const = 0;
  /// The memory between steps, to be saved and restored.
  virtual void keep(Memory& memory) = 0;
  /// After an event the past does not predict what follows.
  virtual void forget() {}
  /// Accepted steps are final: the user sets values here.
  virtual void keep_accepted() {}
  /// Rolls back to the start of the first of the last steps that were forced at the minimum, since
  /// keep_accepted(). Empty: not possible.
  virtual std::optional<double> restore_last_good(SteppedSystem& /*system*/) { return {}; }

 protected:
  ControlCounts counts_;
};

/// Steps of the grid.
std::unique_ptr<StepController> make_grid_steps(const TimeGrid& grid);

}  // namespace tutti::master
