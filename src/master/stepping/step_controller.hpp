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

/// What a step controller sees of a coupled system: something that can try a step, report the
/// values at its couplings, and roll back.
class SteppedSystem {
 public:
  virtual ~SteppedSystem() = default;

  struct Attempt {
    /// Where all components are now, and what they say there...
    models::StepOutcome outcome;
    /// ...or why they are not at one time: the system must roll back.
    enum class Failure : std::uint8_t { none, not_converged, cut } failure = Failure::none;
    double cut = 0;         ///< where a component ended its step; t: nowhere
    bool ends_run = false;  ///< it asked to end the run there
  };
  /// All components from t to t + h. `states` were saved at t, or null: then cycles that iterate
  /// save what they need themselves. `detour` is how much too long the first pass of everything is,
  /// which only the imitation of other masters needs.
  virtual Attempt attempt(double t, double h, const Checkpoint* states, double detour = 0) = 0;
  /// The same without a way back: how it ended is all there is to know.
  virtual models::StepOutcome step(double t, double h) = 0;
  /// A batch: whole steps from point n of a uniform grid to point `last`, as many as can be taken
  /// without a look at each of them; perhaps none. n is the point that was reached, also if one
  /// throws. If the step from there does not end plainly, the answer is its outcome.
  virtual models::StepOutcome take_steps(const TimeGrid& grid, std::uint64_t& n,
                                         std::uint64_t last) = 0;
  /// All components are at t, after steps without a test. False: a value deserves a look, or the
  /// run is to be interrupted.
  virtual bool is_quiet(double t) = 0;
  virtual bool can_vary_step() const = 0;
  /// For messages: `the system`, `component "c"`.
  virtual std::string name() const = 0;
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
  /// What components receive of the coupled values.
  virtual CoupledInputs& coupled_inputs() = 0;
  /// Something jumped in the last step: signals before say nothing about what follows.
  virtual void forget_signals() {}
};

/// No step from t on is good enough. All components are at t.
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
  double error = 0;         ///< its norm; above 1 only at the smallest step, 0: there was no test
  std::uint64_t steps = 1;  ///< communication steps that it is counted as; 0: time stands still
  /// Its error is too large, and no shorter step could be tried.
  enum class Forced : std::uint8_t { no, at_min, without_rollback } forced = Forced::no;
  bool jumps = false;  ///< ...because something jumps in it
};

/// How often what was tried did not do.
struct ControlCounts {
  std::uint64_t convergence_failures = 0, error_test_failures = 0;
  /// Though they failed: steps of the minimum size, and steps that could not be rolled back.
  std::uint64_t accepted_at_min = 0, accepted_without_rollback = 0;
  double worst_without_rollback = 0;  ///< largest error of the latter
  std::uint64_t failures() const { return convergence_failures + error_test_failures; }
};

/// Chooses the communication steps: tries, judges, rolls back and tries again.
class StepController {
 public:
  virtual ~StepController() = default;
  /// One step from t on, not beyond `limit`; or steps up to there, if no error is tested.
  /// @throws StepFailed, Error
  virtual ControlledStep advance(SteppedSystem& system, double t, double limit) = 0;
  /// Where the system is after advance() has thrown, and the steps that led there.
  struct Partial {
    double time = 0;
    std::uint64_t steps = 0;
  };
  virtual std::optional<Partial> partial() const { return {}; }
  /// The next communication point, where that is known beforehand.
  virtual double next_point() const { return infinity; }
  /// The communication point that a model means which computes the time t with rounding errors.
  virtual double meant_point(double t) const { return t; }
  const ControlCounts& counts() const { return counts_; }
  /// Where another one left off.
  void count_on(const ControlCounts& counts) { counts_ = counts; }
  /// The step that will be tried next.
  virtual double next_step() const = 0;
  /// What it remembers from step to step, to be saved and restored.
  virtual void keep(Memory& memory) = 0;
  /// There was an event: the past says nothing about what follows.
  virtual void forget() {}
  /// What was accepted stays: the user sets values here.
  virtual void keep_accepted() {}
  /// The system goes back to where the first of the last steps that were forced at the minimum
  /// started, since keep_accepted(). Nothing: it cannot.
  virtual std::optional<double> restore_last_good(SteppedSystem& /*system*/) { return {}; }

 protected:
  ControlCounts counts_;
};

/// Steps of the grid.
std::unique_ptr<StepController> make_grid_steps(const TimeGrid& grid);

}  // namespace tutti::master
