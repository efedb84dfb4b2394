// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/checkpoint.hpp"
#include "master/events.hpp"
#include "master/input_errors.hpp"
#include "master/output_checks.hpp"
#include "master/program.hpp"
#include "master/step_timing.hpp"

namespace tutti::master {

/// Advances all components by communication steps, with the present coupling.
class Stepper final : public SteppedSystem {
 public:
  struct Parts {
    Assembly& assembly;
    Externals& externals;
    Events& events;
    const OutputChecks& checks;
    StepTiming& timing;
    InputErrors& errors;
  };
  explicit Stepper(const Parts& parts);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  models::StepOutcome step(double t, double h) override;
  models::StepOutcome take_steps(const TimeGrid& grid, std::uint64_t& n,
                                 std::uint64_t last) override;
  bool is_quiet(double t) override;
  Attempt attempt(double t, double h, const Checkpoint* states, double excess) override;
  /// @pre all instances can roll back
  void save(Checkpoint& into) override;
  /// @pre the components are coupled as they were then
  void restore(const Checkpoint& from) override { restore_but(from, {}); }
  /// Values jumped: the past of inputs and iterations does not predict what follows.
  void forget_signals() override;

  bool can_vary_step() const override { return assembly_.abilities.can_vary_step; }
  bool can_roll_back() const override { return assembly_.abilities.can_roll_back; }
  bool iterates() const override { return !cycles_.empty(); }
  bool has_feed_through() const override { return !assembly_.feed_through.empty(); }
  std::string name() const override;
  void couplings(bool each_connection, std::vector<double>& values) const override;
  CoupledInputs& coupled_inputs() override { return errors_; }

  /// Quick check of the last step: whether there is anything to report about the outputs.
  bool is_suspicious() const {
    return found_nan_ || (checks_.allows_infinity() && checks_.is_connection_infinite());
  }
  void allow_infinity() { program_->allow_infinity(); }
  /// Whether steps may be rolled back from now on.
  void renew() { program_->renew(); }

  StepInputs& inputs() { return inputs_; }
  std::vector<CycleReport> cycle_reports() const;
  std::size_t parallel_phases() const { return program_->parallel_phases(); }
  /// The component that did not end the last step plainly.
  std::optional<std::uint32_t> cause() const { return cause_; }

 private:
  // In stepper_setup.cpp:
  std::vector<Phase> make_phases();
  Unit make_cycle(const system::Stage& stage);
  void look_whether_simple();

  /// Only direct steps of the components are due.
  bool is_plain() const { return is_simple_ && program_->is_plain() && !timing_.is_due(); }
  /// The rest of a step of the program that did not end plainly.
  models::StepOutcome go_on(double t, double h);
  /// The work before a step of the program, which may shorten it, and after it. False: a component
  /// asks to end the run at t.
  bool begin_round(double t, double& h);
  void end_round(const Round& round, double t);
  /// The outcome of a round that was not cut, or cannot be rolled back.
  models::StepOutcome outcome_of(const Round& round, double t);
  void restore_but(const Checkpoint& from, std::optional<std::uint32_t> but);
  void keep(Memory& memory);
  [[noreturn]] void refuse_cut(const Cut& cut, double t) const;
  void try_rollback_flags(double t, double h);

  Assembly& assembly_;
  Externals& externals_;
  Events& events_;
  const OutputChecks& checks_;
  StepTiming& timing_;
  InputErrors& errors_;
  StepInputs inputs_;
  std::vector<tlm::ComponentPorts*> ports_;  ///< those that exist
  std::vector<std::unique_ptr<CycleRun>> cycles_;
  std::unique_ptr<Program> program_;
  Checkpoint before_step_;
  bool is_simple_ = false;
  bool found_nan_ = false;              ///< in the last step
  StepInputs::AtPoint at_;              ///< at the communication points of the present step
  std::optional<std::uint32_t> cause_;  ///< of a step that did not end plainly
};

}  // namespace tutti::master
