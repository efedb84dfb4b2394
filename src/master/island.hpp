// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <tutti/log.hpp>
#include <tutti/system.hpp>

#include "master/cycle.hpp"
#include "master/wiring.hpp"
#include "models/input_table.hpp"
#include "models/instance.hpp"
#include "system/plan.hpp"

namespace tutti::master {

/// Signals from outside for one component.
struct ExternalSignals {
  std::uint32_t component = 0;
  std::unique_ptr<models::InputTable> table;
  std::unique_ptr<models::ValueSet> values;  ///< of the table's variables
};

/// Everything of a coupled system that is needed while time runs.
struct CoupledParts {
  std::vector<std::unique_ptr<models::Instance>> instances;
  std::vector<const ModelDescription*> descriptions;
  system::Plan plan;
  SimulationSettings settings;
  std::vector<CycleSettings> cycles;
  std::vector<ExternalSignals> externals;
};

/// How the iterations of a cycle went.
struct CycleReport {
  std::vector<std::string> components;
  std::string method;
  std::uint64_t steps = 0, iterations = 0, limit_hits = 0, fallbacks = 0;
};

/// Instances that walk through time together: one alone, or a coupled system.
class Island {
 public:
  /// One instance, driven by a table.
  Island(std::unique_ptr<models::Instance> instance, models::InputTable inputs);
  Island(CoupledParts parts, const Log& log);
  ~Island();
  Island(const Island&) = delete;
  Island& operator=(const Island&) = delete;

  /// @throws Error when the initial values cannot be found
  void initialize(const models::Experiment& experiment);
  /// All instances from t to t + h, with the inputs from outside as they are at t.
  models::StepOutcome step(double t, double h) {
    if (single_ != nullptr) {
      table_.write(t, single_->inputs());
      return single_->step(t, h);
    }
    return step_together(t, h);
  }
  /// A quick look at what the last step gave.
  bool has_nan() const {
    return single_ != nullptr ? models::ValueSet::has_nan(doubles_) : found_nan_;
  }
  /// A careful one: "y" of component "c" is not a number. Empty: all are.
  std::string find_nan() const;
  /// Some output is not among what has_nan() looks at.
  bool needs_careful_look() const { return has_float32_; }

  /// Events of the FMUs and jumps of the inputs at t. False: a model asks to end the run.
  bool handle_event(double t);
  void finish();
  bool can_vary_step() const { return can_vary_step_; }
  bool has_event_mode() const { return has_event_mode_; }
  /// The next known discontinuity after t: of inputs from outside, of the FMUs.
  double next_jump(double t) const;
  std::optional<double> next_event() const;
  void report_progress(const models::Instance::Progress& progress);
  /// Where to note which component is being called, for whoever watches.
  void tell_component(std::atomic<std::uint32_t>* place) { component_ = place; }
  /// Brings the inputs to what belongs to t, to be recorded. (Steps see them as of their start.)
  void show_inputs(double t);

  /// The only instance and what drives it; null: there are several.
  models::Instance* single() const { return single_; }
  models::InputTable& table() { return table_; }

  std::size_t instance_count() const { return instances_.size(); }
  const models::Instance& instance(std::size_t i) const { return *instances_[i]; }
  /// For messages: the name of the only instance, or "the system".
  std::string name() const;
  const std::vector<CycleReport>& cycle_reports() const { return reports_; }

 private:
  struct CycleRun;
  /// Stages in a row that need no iteration, or one cycle that does.
  struct Leg {
    std::vector<std::uint32_t> components;
    bool reads_old_values = false;  ///< jacobi: all inputs are gathered before the first step
    CycleRun* cycle = nullptr;
  };

  void look_at_instances();
  void make_legs(const CoupledParts& parts);
  std::vector<std::vector<Wiring::Wire>> make_wires(const CoupledParts& parts);
  models::StepOutcome step_together(double t, double h);
  std::optional<models::StepOutcome> run_leg(const Leg& leg, double t, double h);
  std::optional<models::StepOutcome> run_cycle(CycleRun& run, double t, double h);
  void judge_cycle(CycleRun& run, const CouplingOutcome& outcome, double t, double h);
  [[noreturn]] void refuse_cut(std::uint32_t component, const models::StepOutcome& outcome,
                               double t) const;
  void write_externals(double t);

  const Log* log_ = nullptr;
  std::atomic<std::uint32_t>* component_ = nullptr;
  std::vector<std::unique_ptr<models::Instance>> instances_;
  bool can_vary_step_ = true, has_event_mode_ = false, has_float32_ = false;

  models::Instance* single_ = nullptr;
  models::InputTable table_;
  std::span<const std::uint64_t> doubles_;

  std::unique_ptr<CoupledParts> parts_;  ///< without the instances
  std::unique_ptr<Wiring> wiring_;
  std::vector<std::vector<Wiring::Wire>> wires_;
  std::vector<std::unique_ptr<CycleRun>> cycles_;
  std::vector<Leg> legs_;
  std::vector<CycleReport> reports_;
  bool found_nan_ = false;
};

}  // namespace tutti::master
