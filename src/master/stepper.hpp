// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/checkpoint.hpp"
#include "master/cycle_run.hpp"
#include "master/events.hpp"
#include "master/output_checks.hpp"
#include "master/program.hpp"
#include "master/step_inputs.hpp"
#include "master/step_timing.hpp"
#include "master/stepping/step_controller.hpp"

namespace tutti::master {

/// Leads all components through communication steps, as they are coupled now.
class Stepper {
 public:
  struct Parts {
    Assembly& assembly;
    Externals& externals;
    Events& events;
    const OutputChecks& checks;
    StepTiming& timing;
  };
  explicit Stepper(const Parts& parts);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // As SteppedSystem has them:
  models::StepOutcome step(double t, double h) {
    return is_simple_ ? step_simply(t, h) : step_together(t, h);
  }
  models::StepOutcome take_steps(const TimeGrid& grid, std::uint64_t& n, std::uint64_t last);
  SteppedSystem::Attempt attempt(double t, double h, const Checkpoint* states, double detour);

  /// A quick look at what the last step gave: is there anything to report of the outputs?
  bool is_suspicious() const {
    return found_nan_ || (checks_.allows_infinity() && checks_.is_connection_infinite());
  }
  void allow_infinity() { program_->allow_infinity(); }
  /// Steps may be rolled back from now on, or not.
  void renew() { program_->renew(); }

  /// @pre all instances can go back
  void save(Checkpoint& into) const;
  /// All components, or all but one.
  void restore(const Checkpoint& from, std::optional<std::uint32_t> but = {});
  /// Something jumped: what inputs and iterations did says nothing about what follows.
  void forget_signals();

  StepInputs& inputs() { return inputs_; }
  const StepInputs& inputs() const { return inputs_; }
  bool iterates() const { return !cycles_.empty(); }
  std::vector<CycleReport> cycle_reports() const;
  std::size_t parallel_phases() const { return program_->parallel_phases(); }
  /// The component that ended the last step otherwise than plainly.
  std::optional<std::uint32_t> cause() const { return cause_; }

 private:
  // In stepper_setup.cpp:
  std::vector<Phase> make_phases();
  Unit make_cycle(const system::Stage& stage);
  void look_whether_simple();

  /// step_together(), where there is nothing but the components.
  models::StepOutcome step_simply(double t, double h) {
    if (timing_.is_due()) [[unlikely]]
      return step_together(t, h);
    timing_.count();
    externals_.write(t);
    if (program_->run_plainly(t, h, found_nan_)) [[likely]]
      return {models::StepOutcome::Status::done, t + h};
    return go_on(t, h);
  }
  /// The rest of a step that did not end plainly.
  models::StepOutcome go_on(double t, double h);
  models::StepOutcome step_together(double t, double h);
  const Round& run_program(double t, double h);
  /// What a round means that was not cut, or cannot be taken back.
  models::StepOutcome end_round(const Round& round, double t);
  [[noreturn]] void refuse_cut(const Cut& cut, double t) const;
  void try_rollback_flags(double t, double h);

  Assembly& assembly_;
  Externals& externals_;
  Events& events_;
  const OutputChecks& checks_;
  StepTiming& timing_;
  StepInputs inputs_;
  std::vector<std::unique_ptr<CycleRun>> cycles_;
  std::unique_ptr<Program> program_;
  Checkpoint before_step_;
  bool is_simple_ = false;
  bool found_nan_ = false;              ///< in the last step
  StepInputs::AtPoint at_;              ///< at the communication points of the present step
  std::optional<std::uint32_t> cause_;  ///< of a step that did not end plainly
  Round ended_;                         ///< of a step that has not begun
};

}  // namespace tutti::master
