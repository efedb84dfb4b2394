// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/cycle_run.hpp"
#include "master/stepper.hpp"
#include "models/value_set.hpp"

namespace tutti::master {

/// What can be recorded of steps: "step", "iterations", "error".
class StepInfo {
 public:
  StepInfo();
  static const ModelDescription& description();
  const models::ValueSet& values() const { return values_; }
  /// The length and error of the last step, and the iterations since the last time.
  void note(double h, double error, std::span<const CycleReport> cycles);

 private:
  models::ValueSet values_;
  std::uint64_t noted_iterations_ = 0;
};

/// Instances that are simulated together: a single one, or a coupled system. Its parts do the work:
/// assembly, events, stepper, checks.
class Island {
 public:
  Island(CoupledParts parts, Monitor& monitor, std::size_t threads, const Log& log);
  Island(const Island&) = delete;
  Island& operator=(const Island&) = delete;

  /// @throws Error when the initial values cannot be found
  void initialize(const models::Experiment& experiment);
  void finish();
  void report_progress(const models::Instance::Progress& progress);

  // Its parts:
  Assembly& assembly() { return assembly_; }
  const Assembly& assembly() const { return assembly_; }
  Externals& externals() { return externals_; }
  Events& events() { return events_; }
  OutputChecks& checks() { return checks_; }
  const StepTiming& timing() const { return timing_; }
  const InputErrors& errors() const { return input_errors_; }
  /// As the components are coupled now.
  Stepper& stepper() { return *stepper_; }

  void save(Checkpoint& into) { stepper_->save(into); }
  /// @pre the components are coupled as they were then
  void restore(const Checkpoint& from) { stepper_->restore(from); }
  /// The component that caused an early end or event of the last step, or else has an event at t.
  std::string who_stops_at(double t) const;

  // Another coupling:
  /// The number of the fallback when this coupling fails, see CoupledParts::fallbacks. Empty: none.
  std::optional<std::size_t> next_coupling() const;
  /// Switches to it. @pre all components are at t, the valid time
  void use_fallback(std::size_t number);

  // Events:
  /// The past of the inputs does not predict what follows: values jump here.
  void forget_past();
  /// Events of the FMUs and jumps of the inputs at t. False: a model asks to end the run.
  bool handle_event(double t);
  /// The next known discontinuity after t: of inputs from outside, of the FMUs.
  double next_discontinuity(double t) const;
  /// Informs the components whether an earlier state may be restored.
  void expect_rollback(bool expected);

  // Output checks:
  /// Whether there is anything to report about the outputs.
  bool is_suspicious() const { return stepper_->is_suspicious() || checks_.needs_careful_look(); }
  /// Reports it. @throws Error
  void report_fault(double t);

  // Values and reports:
  std::size_t instance_count() const { return assembly_.instances.size(); }
  const models::Instance& instance(std::size_t i) const { return *assembly_.instances[i]; }
  models::Instance& instance(std::size_t i) { return *assembly_.instances[i]; }
  /// Of all components; infinity: that of one is unknown; 0: all rates are unknown.
  double fastest_rate() const;
  /// To be recorded of the last step.
  void note_step(double h, double error) { step_info_.note(h, error, cycle_reports()); }
  const StepInfo& step_info() const { return step_info_; }
  std::vector<CycleReport> cycle_reports() const;
  std::size_t parallel_phases() const { return stepper_ ? stepper_->parallel_phases() : 0; }

 private:
  void couple();

  Assembly assembly_;
  Externals externals_;
  Events events_;
  OutputChecks checks_;
  StepTiming timing_;
  InputErrors input_errors_;
  std::unique_ptr<Stepper> stepper_;
  StepInfo step_info_;
  std::vector<CycleReport> ended_cycles_;  ///< of abandoned couplings
};

}  // namespace tutti::master
