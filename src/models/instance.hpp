// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <optional>
#include <tutti/solvers.hpp>

#include "fmi/v2/co_simulation.hpp"
#include "fmi/v3/co_simulation.hpp"
#include "models/input_signal.hpp"
#include "models/value_set.hpp"

namespace tutti::models {

using fmi::Experiment;
using fmi::StepOutcome;

/// Where an instance was. It goes before the instance does: declare it after the instance.
struct Snapshot {
  fmi::FmuState fmu;
  ValueSet::Values outputs;
  std::optional<double> next_event;
  double time = 0;  ///< of an integrator of ours
};

/// One running model behind one interface, whatever it is. The master writes `inputs()` and reads
/// `outputs()`; the instance moves them to and from its model.
///
///   1. initialization: the model starts from its start values and the present inputs
///   2. step(t, h) from where the last one ended, handle_event(t) after a step that asks for it or
///      when an input jumps
///   3. finish()
class Instance {
 public:
  virtual ~Instance() = default;
  virtual const std::string& name() const = 0;

  ValueSet& inputs() { return inputs_; }
  const ValueSet& inputs() const { return inputs_; }
  const ValueSet& outputs() const { return outputs_; }

  /// The inputs are known beforehand: between jumps, a model that can follow the signal inside a
  /// step does so. Others hold what is in inputs().
  virtual void follow(InputSignal* /*signal*/) {}
  /// Called inside long steps with the time reached; an answer of false ends the step early.
  using Progress = std::function<bool(double t)>;
  virtual void report_progress(Progress /*progress*/) {}

  /// Initialization, together with other instances:
  ///   begin_initialization, then in any order set_in_initialization (inputs) and
  ///   get_in_initialization (what is known by then), then end_initialization.
  virtual void begin_initialization(const Experiment& experiment) = 0;
  /// Some variables of inputs() take effect; some of outputs() are brought up to date.
  virtual void set_in_initialization(std::span<const std::int32_t> variables) = 0;
  virtual void get_in_initialization(std::span<const std::int32_t> variables) = 0;
  /// How outputs change with inputs, where the FMU can tell. False: it cannot.
  virtual bool differentiate_in_initialization(std::span<const std::int32_t> /*unknowns*/,
                                               std::span<const std::int32_t> /*knowns*/,
                                               std::span<const double> /*seed*/,
                                               std::span<double> /*sensitivity*/) {
    return false;
  }
  /// @post outputs() belong to the start time
  virtual void end_initialization(const Experiment& experiment) = 0;
  /// The same for an instance alone.
  void initialize(const Experiment& experiment) {
    begin_initialization(experiment);
    set_in_initialization(inputs_.variables());
    end_initialization(experiment);
  }

  /// Inputs hold over the step. @post outputs() belong to the outcome's `reached`
  StepOutcome step(double t, double h) {
    if (direct_v2_ != nullptr) return direct_v2_->exchange_step(exchange_, t, h);
    return direct_ != nullptr ? direct_->exchange_step(exchange_, t, h) : step_generally(t, h);
  }
  /// Calls action(step), where step(t, h) is the shortest way for this model: for a loop that takes
  /// many steps of one instance.
  template <class Action>
  auto with_step(const Action& action) {
    const fmi::Exchange& exchange = exchange_;
    if (auto* const direct = direct_v2_; direct != nullptr)
      return action(
          [=, &exchange](double t, double h) { return direct->exchange_step(exchange, t, h); });
    if (auto* const direct = direct_v3_; direct != nullptr)
      return action(
          [=, &exchange](double t, double h) { return direct->exchange_step(exchange, t, h); });
    return action([this](double t, double h) { return step(t, h); });
  }
  /// @pre has_event_mode()
  /// @post the present inputs have taken effect at t; outputs() are those after the event.
  /// Answers false if the model asks to end the run.
  virtual bool handle_event(double t) = 0;
  virtual void finish() = 0;

  /// To any time at which it was saved. Some others can at least repeat their last step: FMI 1.0
  /// with canRejectSteps.
  virtual bool can_go_back() const = 0;
  /// @pre can_go_back(), or only the last step is repeated and the model can do that. What was
  /// saved may be restored many times.
  virtual void save(Snapshot& into) = 0;
  virtual void restore(const Snapshot& from) = 0;

  /// Steps of another size than the first are possible.
  virtual bool can_vary_step() const = 0;
  /// A jump of an input must go through handle_event().
  virtual bool has_event_mode() const = 0;
  /// The next time at which the model knows to have an event: no step may lead beyond.
  virtual std::optional<double> next_event() const = 0;
  virtual const fmi::CallCounts& counts() const = 0;
  /// Nothing: the model brings its own solver.
  virtual std::optional<SolverStatistics> solver_statistics() const { return {}; }

 protected:
  virtual StepOutcome step_generally(double t, double h) = 0;

  ValueSet inputs_, outputs_;
  // A co-simulation FMU whose inputs and outputs are all numbers needs nothing around its own call.
  fmi::CoSimulation* direct_ = nullptr;
  fmi::v2::CoSimulationV2* direct_v2_ = nullptr;  ///< the same, where its type is known
  fmi::v3::CoSimulationV3* direct_v3_ = nullptr;
  fmi::Exchange exchange_;
};

}  // namespace tutti::models
