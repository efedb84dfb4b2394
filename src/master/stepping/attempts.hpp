// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <optional>

#include "master/memory.hpp"
#include "master/stepping/step_controller.hpp"

namespace tutti::master {

/// Finds jumps and kinks in the couplings. If a step fails although a shorter one from the same
/// start has hardly any error, there is a discontinuity in the rest: the rest is halved down to the
/// minimum step, instead of being approached by steps that grow and fail again. After it the step
/// has its earlier size.
class JumpSearch {
 public:
  /// `h`, or the part of it to be tried during a search.
  double limited(double t, double h, double min) const;
  /// A step from t did not converge.
  void not_converged(double t, double h) { failed(t, h, 0, false); }
  /// A step from t had too large an error, which shrinks with this power of the step where
  /// everything is smooth.
  void too_wrong(double t, double h, double error, double power = 2) {
    power_ = power;
    failed(t, h, error, true);
  }
  /// A step from t was accepted, `forced` if only because it was the minimum. Returns the step size
  /// before the search, if the discontinuity is passed.
  std::optional<double> accepted(double t, double h, double error, bool forced);
  /// A discontinuity is known to be ahead, not only suspected.
  bool is_certain() const { return state_ == State::certain; }

  void keep(Memory& memory) {
    memory(state_, end_, size_, error_, power_, usual_, accepted_, last_found_);
  }

 private:
  /// After an error that was too large the next accepted step decides; after a step that did not
  /// converge, one that ends at the same time and is not longer than the accepted one.
  enum class State { idle, wrong, unconverged, certain };
  static constexpr double nowhere = std::numeric_limits<double>::infinity();

  void failed(double t, double h, double error, bool by_error);

  State state_ = State::idle;
  double end_ = nowhere;         // the discontinuity is before this time
  double size_ = 0, error_ = 0;  // of the step that failed
  double power_ = 2;
  double usual_ = 0;     // step before the search
  double accepted_ = 0;  // last step that was accepted
  double last_found_ = -nowhere;
};

/// If the error of a step does not suggest a size, half the step is tried.
inline constexpr double half = 0.5;

/// Its deviations serve only to reproduce the numbers of that master.
bool imitates_mastersim(ControlVariant variant);

/// Common to step controllers: a step that does not converge, or is cut, is repeated with a smaller
/// size (A. Nicolai, MASTERSIM: Masteralgorithmen für die FMI Co-Simulation, 2018, section 5.4).
class Attempts {
 public:
  /// `searches`: for jumps, by halving steps.
  Attempts(const ControlSettings& settings, double h, bool searches = false);

  /// The proposed step from t, not beyond the limit, nor that of inputs from outside. A rest of the
  /// size of a rounding error is included; a small rest is split evenly with the step.
  double choose(SteppedSystem& system, double t, double limit) const;
  /// Tries `h` and shorter steps until one succeeds. @pre `states` are those of t, and the system
  /// is at t. See SteppedSystem::attempt() for `excess`, which applies to the first attempt only.
  /// @post h is the step that was taken
  models::StepOutcome succeed(SteppedSystem& system, double t, double& h, const Checkpoint& states,
                              ControlCounts& counts, double excess = 0);
  /// One step; the system gets the states `given`. If the equations have no solution there, the
  /// step is rolled back to `states`. @throws StepFailed
  static SteppedSystem::Attempt try_step(SteppedSystem& system, double t, double h,
                                         const Checkpoint* given, const Checkpoint& states,
                                         double excess = 0);
  /// @throws StepFailed: a step of h, which must not be reduced, fails
  [[noreturn]] void give_up(double t, double h) const;
  /// @throws StepFailed: the error of a step of h, the minimum, is too large; `is_jump`: as it was
  /// in longer ones
  [[noreturn]] static void refuse_error(double t, double h, double error, bool is_jump = false);
  /// A step of h from t had too large an error, which suggests this factor for the next one.
  /// Returns whether to halve it instead, because a value jumps in it.
  bool is_to_be_halved(double t, double h, double error, double factor, double power);
  /// A step was accepted. After a jump the next step has its earlier size.
  void accepted(double t, double h, double error, bool forced);
  void keep(Memory& memory) { memory(next, search); }

  double next = 0;  ///< the proposed step
  JumpSearch search;

 private:
  bool searches_;
  bool imitates_mastersim_, shares_rest_;
  bool tests_inputs_;  ///< those from outside
  double min_, shrink_;
};

}  // namespace tutti::master
