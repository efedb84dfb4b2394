// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <limits>
#include <optional>

#include "master/memory.hpp"
#include "master/stepping/step_controller.hpp"

namespace tutti::master {

/// Finds jumps and kinks in the couplings. A step that fails although a shorter one from the same
/// start has hardly any error has something in its rest that shorter steps do not make smooth: the
/// rest is halved until it is as short as a step may be, instead of being approached by steps that
/// grow and fail again. Behind it the step is what it was before.
class JumpSearch {
 public:
  /// `h`, or the part of it that is to be tried while something is searched for.
  double limited(double t, double h, double min) const;
  /// A step from t on did not converge.
  void not_converged(double t, double h) { failed(t, h, 0, false); }
  /// A step from t on had too large an error, which shrinks with this power of the step where
  /// everything is smooth.
  void too_wrong(double t, double h, double error, double power = 2) {
    power_ = power;
    failed(t, h, error, true);
  }
  /// A step from t on was accepted, `forced` if only because it was the shortest.
  /// Answers the step that was usual before, if what was searched for is passed.
  std::optional<double> accepted(double t, double h, double error, bool forced);
  /// Something is known to be ahead, not only suspected.
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
  double end_ = nowhere;         // it is before this time
  double size_ = 0, error_ = 0;  // of the step that failed
  double power_ = 2;
  double usual_ = 0;     // step before the search
  double accepted_ = 0;  // last step that was accepted
  double last_found_ = -nowhere;
};

/// Of a step whose error does not suggest a size, half is tried.
inline constexpr double half = 0.5;

/// It has properties that nobody would want but to get the same numbers.
bool imitates_mastersim(ControlVariant variant);

/// What step controllers have in common: a step that does not converge, or is cut, is tried again
/// with a shorter one (A. Nicolai, MASTERSIM: Masteralgorithmen für die FMI Co-Simulation, 2018,
/// section 5.4).
class Attempts {
 public:
  /// `searches`: for jumps, by halving steps.
  Attempts(const ControlSettings& settings, double h, bool searches = false);

  /// The step from t on that would be taken, not beyond the limit, nor that of inputs from outside.
  /// One that would leave only a rounding error goes there; a small rest is shared with it.
  double choose(SteppedSystem& system, double t, double limit) const;
  /// Tries `h` and shorter ones until one succeeds. @pre `states` are those of t, and the system is
  /// there. See SteppedSystem::attempt() for `detour`, which is only made once.
  /// @post h is the step that was taken
  models::StepOutcome succeed(SteppedSystem& system, double t, double& h, const Checkpoint& states,
                              ControlCounts& counts, double detour = 0);
  /// One step, whose system is `given` its states. If the equations have no solution there, it goes
  /// back to `states`. @throws StepFailed
  static SteppedSystem::Attempt try_step(SteppedSystem& system, double t, double h,
                                         const Checkpoint* given, const Checkpoint& states,
                                         double detour = 0);
  /// @throws StepFailed: a step of h, which is not to be made shorter, does not succeed
  [[noreturn]] void give_up(double t, double h) const;
  /// @throws StepFailed: the error of a step of h, the smallest, is too large; `is_jump`: as it was
  /// in longer ones
  [[noreturn]] static void refuse_error(double t, double h, double error, bool is_jump = false);
  /// A step of h from t had too large an error, which suggests the next one by this factor: is it
  /// to be halved instead, because something jumps in it?
  bool is_to_be_halved(double t, double h, double error, double factor, double power);
  /// A step was accepted. Behind a jump the next one is what it was before.
  void accepted(double t, double h, double error, bool forced);
  void keep(Memory& memory) { memory(next, search); }

  double next = 0;  ///< the step that is proposed
  JumpSearch search;

 private:
  bool searches_;
  bool imitates_mastersim_, shares_rest_;
  bool tests_inputs_;  ///< those from outside
  double min_, shrink_;
};

}  // namespace tutti::master
