// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <tutti/error.hpp>
#include <tutti/log.hpp>
#include <unordered_map>

#include "master/checkpoint.hpp"
#include "master/coupled_parts.hpp"
#include "master/cycle_run.hpp"
#include "master/global_error.hpp"
#include "master/growth_watch.hpp"
#include "master/input_limits.hpp"
#include "master/linear_correction.hpp"
#include "master/observer.hpp"
#include "master/program.hpp"
#include "master/step_timing.hpp"
#include "master/stepping/step_controller.hpp"
#include "models/run_needs.hpp"

namespace tutti::master {

class Agreement;

/// Instances that are led through time together: one alone, or a coupled system.
class Island final : public SteppedSystem {
 public:
  /// What happens is noted in the monitor, for whoever watches; each of the threads notes which
  /// component it calls.
  Island(CoupledParts parts, Monitor& monitor, std::size_t threads, const Log& log);
  ~Island() override;
  Island(const Island&) = delete;
  Island& operator=(const Island&) = delete;

  /// @throws Error when the initial values cannot be found
  void initialize(const models::Experiment& experiment);
  models::StepOutcome step(double t, double h) override {
    return is_simple_ ? step_simply(t, h) : step_together(t, h);
  }
  models::StepOutcome take_steps(const TimeGrid& grid, std::uint64_t& n,
                                 std::uint64_t last) override;
  /// A quick look at what the last step gave: is there anything to report of the outputs?
  bool is_suspicious() const {
    return found_nan_ || (!connected_.empty() && is_connection_infinite());
  }
  /// A careful one: "y" of component "c" is not a number, or infinite and connected. Empty: none.
  /// What is infinite and not connected is a warning, once.
  std::optional<Error> find_fault(double t);
  /// Some output is not among what is_suspicious() looks at.
  bool needs_careful_look() const { return has_float32_; }
  /// Do the values of a cycle grow from step to step? Looked for now and then: when it is due, and
  /// at the end. The message says so, if the run is to end for that.
  bool is_growth_due() const { return !growth_.empty() && timing_.steps() >= next_look_; }
  std::optional<Error> find_growth(double t);

  /// Everything that goes back when a step is rejected. @pre all instances can go back
  void save(Checkpoint& into) override;
  void restore(const Checkpoint& from) override { restore(from, {}); }
  Attempt attempt(double t, double h, const Checkpoint* states, double detour) override;
  void couplings(bool each_connection, std::vector<double>& values) const override;
  double input_limit(double t, double end, double min) override {
    return limits_.end_of_step(t, end, min);
  }
  bool iterates() const override { return !cycles_.empty(); }
  bool has_feed_through() const override { return !feed_through_.empty(); }
  bool can_go_back() const override { return can_go_back_; }
  std::uint32_t input_order() const override;
  std::span<const InputModel> input_models() const override { return input_models_; }
  bool has_switched() const override;
  std::optional<GivenCurve> given(std::size_t connection) const override;
  std::optional<double> missed_prediction(std::size_t connection, double end) const override;
  /// Extrapolated inputs have no past at t, the start of a run with fixed steps of h: finds how
  /// they move in the first step. False: nothing shows that, so this step should be taken in short
  /// parts, between start_in_parts() and end_parts().
  bool start_inputs(double t, double h, const std::function<bool()>& proceeds);
  void start_in_parts();
  void end_parts();
  bool notes_inputs() const override { return global_error_ != nullptr; }
  std::span<const double> weights() const override {
    return global_error_ && can_go_back_ ? global_error_->weights() : std::span<const double>();
  }
  void note_inputs(double h, std::span<const InputRecord> inputs) override {
    global_error_->step(h, inputs);
  }
  /// Of all real outputs that are read; none: nothing is estimated.
  std::vector<EstimatedError> estimated_errors() const;
  std::optional<GlobalError::Worst> worst_error() const;
  /// What is to be recorded of the last step: its length and error; and since the last time, the
  /// iterations.
  void note_step(double h, double error);
  /// "step", "iterations", "error"
  const models::ValueSet& step_info() const { return step_info_; }
  static const ModelDescription& step_info_description();

  /// The number of the coupling to turn to when this one fails, see CoupledParts::safer. Nothing:
  /// there is none.
  std::optional<std::size_t> next_coupling() const;
  const std::string& text_of_coupling(std::size_t number) const {
    return parts_->safer[number - 1].text;
  }
  /// Turns to it. @pre all components are at t, where they should be
  void couple_anew(std::size_t number);
  /// Of all components; infinity: that of one is not known; 0: nothing is known of rates at all.
  double fastest_rate() const;
  void warn(const std::string& message) const { log_->warning("", message); }
  bool is_coupled_automatically() const { return parts_ != nullptr && parts_->is_automatic; }

  /// What the inputs did says nothing about what follows: something jumps here.
  void forget_past();
  /// The same where components have stepped beyond the jump: derivatives of their outputs hold.
  void forget_signals() override;
  /// Events of the FMUs and jumps of the inputs at t. False: a model asks to end the run.
  bool handle_event(double t);
  /// Values that the user sets at t, between two steps. False: a model asks to end the run.
  struct Assignment {
    std::uint32_t component = 0;
    models::ValueSet* values = nullptr;
  };
  bool assign(double t, std::span<const Assignment> assignments);
  /// Components are told that a state before the present one may be restored, or not.
  void expect_rollback(bool expected);
  /// The values as they are now, to be shown again when a step has failed.
  void note_values();
  void show_noted_values();
  void finish();
  bool can_vary_step() const override { return can_vary_step_; }
  bool has_event_mode() const { return has_event_mode_; }
  /// The system went back over several steps, and perhaps over events.
  void note_after_restoring() {
    note_discrete_inputs();
    known_event_ = next_event();
  }
  /// The next known discontinuity after t: of inputs from outside, of the FMUs.
  double next_jump(double t) const;
  std::optional<double> next_event() const;
  void report_progress(const models::Instance::Progress& progress);
  /// Brings the inputs to what belongs to t, to be recorded.
  void show_inputs(double t);

  std::size_t instance_count() const { return instances_.size(); }
  const models::Instance& instance(std::size_t i) const { return *instances_[i]; }
  models::Instance& instance(std::size_t i) { return *instances_[i]; }
  std::string name() const override;
  /// The component that ended the last step otherwise than plainly, or else plans an event at t.
  std::string who_stops_at(double t) const;
  std::vector<CycleReport> cycle_reports() const;
  StepTimes step_times() const { return timing_.times(); }
  std::size_t parallel_phases() const { return program_ ? program_->parallel_phases() : 0; }

 private:
  void look_at_instances();
  void couple();
  void look_whether_simple();
  void place_values();
  void find_couplings();
  void find_feed_through();
  void find_input_models();
  void make_global_error();
  void find_input_limits();
  std::vector<std::vector<Wiring::Wire>> make_wires(const CoupledParts& parts);
  std::vector<Phase> make_phases(const CoupledParts& parts);
  /// When a component is called in a step.
  struct Calling {
    std::size_t phase = 0, unit = 0, position = 0;
    bool iterates = false, reads_old_values = false;
    bool comes_before(const Calling& other) const;
  };
  CycleRun* make_cycle(const system::Stage& stage, const std::vector<std::string>& methods);
  /// step_together(), where there is nothing but the components.
  models::StepOutcome step_simply(double t, double h) {
    if (timing_.is_due()) [[unlikely]]
      return step_together(t, h);
    timing_.count();
    write_externals(t);
    if (program_->run_plainly(t, h, found_nan_)) [[likely]]
      return {models::StepOutcome::Status::done, t + h};
    const Round& round = program_->go_on(t, h);
    found_nan_ |= round.nan;
    return end_round(round, t);
  }
  void watch_growth(const system::Stage& stage, const std::string& method);
  models::StepOutcome step_together(double t, double h);
  /// What a round means that was not cut, or cannot be taken back.
  models::StepOutcome end_round(const Round& round, double t);
  const Round& run_program(double t, double h);
  [[noreturn]] void refuse_cut(const Cut& cut, double t) const;
  /// All components but one.
  void restore(const Checkpoint& from, std::optional<std::uint32_t> but);
  void try_rollback_flags(double t, double h);
  bool is_connected(const models::ValueSet& outputs, const models::Scalar& scalar) const;
  bool is_connection_infinite() const;
  void allow_infinity();
  Error infinite(const models::Instance& instance, const models::Scalar& scalar, double t) const;
  std::string what_to_try() const;
  void write_externals(double t);
  /// What comes from outside and is held over a step from t to t + h.
  void hold_externals(double t, double h);
  void write_end(const ExternalSignals& external, double end, double h);
  /// What comes from outside and can move inside a step of h is meant for its end.
  void aim_externals(double end, double h);
  void begin_curves(double t);
  /// All components are at t, the end of a step of h. `may_step`: none of them has an event there.
  void end_curves(double t, double h, bool may_step);
  double start_ = 0, stop_ = 0;         ///< of the run
  bool tries_flags_ = false;            ///< in its second step: see Instance::try_rollback_flag()
  std::optional<std::uint32_t> cause_;  ///< of a step that did not end plainly
  /// At the communication points of the present step:
  bool ends_run_ = false;        ///< a component asked for that
  bool handled_events_ = false;  ///< of components whose inputs jumped or were made to agree
  Round ended_;                  ///< of a step that has not begun
  void describe_curves(const std::vector<Phase>& phases);
  std::vector<InputCurves::Input> describe_inputs(
      std::size_t component, const std::vector<Calling>& calling,
      const std::unordered_map<const models::ValueSet*, std::size_t>& sources);
  /// What the FMUs know of their discrete inputs is what stands there now.
  void note_discrete_inputs();
  bool discrete_inputs_changed();
  void note(std::size_t component) const {
    monitor_.called.front().store(static_cast<std::uint32_t>(component), std::memory_order_relaxed);
  }

  const Log* log_ = nullptr;
  Monitor& monitor_;
  std::span<std::atomic<std::uint32_t>> called_;  ///< of the monitor, by thread
  std::vector<std::uint64_t> values_;             ///< all numbers, in calling sequence
  struct {
    std::vector<std::uint64_t> numbers;
    std::vector<models::ValueSet::Values> outputs;  ///< of components that have others, too
  } noted_;
  std::vector<std::unique_ptr<models::Instance>> instances_;
  bool can_vary_step_ = true, has_event_mode_ = false, has_float32_ = false, can_go_back_ = true;
  bool has_special_outputs_ = false;  ///< texts, binaries, negated aliases

  std::unique_ptr<CoupledParts> parts_;  ///< without the instances
  std::unique_ptr<Wiring> wiring_;
  std::vector<std::vector<Wiring::Wire>> wires_;
  std::vector<Wiring::Wire> external_wires_;  ///< of doubles
  std::vector<InputCurves> curves_;           ///< by component; none: inputs hold over a step
  std::vector<OutputDerivatives> derivatives_;
  std::unique_ptr<Agreement> agreement_;  ///< consistent coupling
  std::unique_ptr<bool[]> predicted_;  ///< by component: it is in a cycle that predicts its inputs
  std::unique_ptr<LinearCorrection> correction_;
  bool reported_sources_ = false;  ///< of its derivatives
  std::vector<std::unique_ptr<CycleRun>> cycles_;
  std::vector<GrowthWatch> growth_;  ///< of cycles that do not iterate
  std::unique_ptr<Program> program_;
  Checkpoint before_step_;
  std::vector<const double*> connections_, couplings_;  ///< real ones: all, and each output once
  std::vector<system::Graph::Edge> dependencies_;       ///< of coupled scalars while time runs
  std::set<std::pair<std::uint32_t, std::int32_t>>
      feed_through_;                      ///< inputs with outputs of theirs
  std::vector<InputModel> input_models_;  ///< of connections_
  /// Where a connection leads to.
  struct Target {
    const InputCurves* curves = nullptr;  ///< none: it is constant over a step
    std::size_t input = 0;
    double factor = 1, offset = 0;
  };
  std::vector<Target> targets_;  ///< of connections_
  /// A coupled value of a component without event mode that is neither real nor a text.
  struct Switch {
    const models::ValueSet* set;
    const models::Scalar* scalar;
    std::uint64_t before = 0;  ///< the present step
  };
  std::vector<Switch> switches_;
  void note_switches();
  void add_switch(const Wiring::Wire& wire);
  std::unique_ptr<GlobalError> global_error_;  ///< null: it is not estimated
  InputLimits limits_;                         ///< of externals, where errors choose the steps
  models::ValueSet step_info_;
  std::uint64_t noted_iterations_ = 0;
  std::vector<CycleReport> ended_cycles_;  ///< of couplings that were given up
  bool found_nan_ = false;
  double limit_ = models::ValueSet::largest;  ///< of outputs; infinity: once one is infinite
  std::vector<const double*> connected_;      ///< then looked at one by one
  /// A discrete input that must go through event mode, and what the FMU knows of it.
  struct DiscreteInput {
    std::uint32_t component;
    const models::Scalar* scalar;
    std::string known;
  };
  std::vector<DiscreteInput> discrete_;
  std::optional<double> known_event_;  ///< the next one, as told last

  bool is_simple_ = false;
  StepTiming timing_;
  std::uint64_t next_look_ = 1;  ///< for growth, by step
};

}  // namespace tutti::master
