// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tutti/solvers.hpp>
#include <utility>
#include <vector>

#include "base/step_outcome.hpp"
#include "models/input_signal.hpp"
#include "models/saved_state.hpp"
#include "models/value_set.hpp"

namespace tutti::models {

using tutti::Experiment;
using tutti::StepOutcome;

/// The common interface of all running models. The master writes `inputs()` and reads `outputs()`;
/// the instance moves them to and from its model.
///
///   1. initialization: the model starts from its start values and the present inputs
///   2. step(t, h) from where the last one ended, handle_event(t) after a step that requests it or
///      when an input jumps
///   3. finish()
class Instance {
 public:
  virtual ~Instance() = default;
  virtual const std::string& name() const = 0;

  ValueSet& inputs() { return inputs_; }
  const ValueSet& inputs() const { return inputs_; }
  const ValueSet& outputs() const { return outputs_; }
  /// Restores earlier outputs.
  void show(const ValueSet::Values& outputs) { outputs_.restore(outputs); }

  /// The inputs are known beforehand: between jumps, a model that can follow the signal inside a
  /// step does so. Others use the constant values of inputs().
  virtual void follow(InputSignal* /*signal*/) {}
  /// Called inside long steps with the time reached; returning false ends the step early.
  using Progress = std::function<bool(double t)>;
  virtual void report_progress(Progress /*progress*/) {}

  /// Initialization, together with other instances:
  ///   begin_initialization, then in any order set_some (inputs) and
  ///   get_some (outputs known by then), then end_initialization.
  virtual void begin_initialization(const Experiment& experiment) = 0;
  /// Some variables of inputs() take effect; some of outputs() are brought up to date.
  virtual void set_some(std::span<const std::int32_t> variables) = 0;
  virtual void get_some(std::span<const std::int32_t> variables) = 0;
  /// Partial derivatives of outputs with respect to inputs at the present time. False: not
  /// available. Without unknowns, returns only whether they are available: now, or, if called
  /// before initialization, after it. Also callable after initialization.
  virtual bool differentiate(std::span<const std::int32_t> /*unknowns*/,
                             std::span<const std::int32_t> /*knowns*/,
                             std::span<const double> /*seed*/, std::span<double> /*sensitivity*/) {
    return false;
  }
  /// @post outputs() belong to the start time
  virtual void end_initialization(const Experiment& experiment) = 0;
  /// The same for a single instance.
  void initialize(const Experiment& experiment) {
    begin_initialization(experiment);
    set_some(inputs_.variables());
    end_initialization(experiment);
  }

  /// Inputs are constant over the step, or follow their polynomials.
  /// @post outputs() belong to the outcome's `reached`. After a discarded step whose start was
  /// saved the caller restores it.
  virtual StepOutcome step(double t, double h) = 0;
  /// The first and, if `curvatures` is not empty, second derivatives of continuous_inputs() at the
  /// start of the next step; no slopes: constant.
  /// @pre follows_curves()
  virtual void set_curves(std::span<const double> /*slopes*/,
                          std::span<const double> /*curvatures*/) {}
  virtual bool follows_curves() const { return false; }
  /// The highest order of input derivatives that the model uses.
  virtual std::uint32_t input_order() const { return 2; }
  std::span<double> continuous_inputs() { return inputs_.continuous_doubles(); }
  /// Time derivatives of outputs at the end of the last step, up to this order.
  virtual std::uint32_t output_derivative_order() const { return 0; }
  /// Of these variables, which are scalar doubles. @pre order <= output_derivative_order(), and a
  /// step was taken
  virtual void get_output_derivatives(std::span<const std::int32_t> /*variables*/,
                                      std::uint32_t /*order*/, std::span<double> /*values*/) {}

  /// A trial step of h from t with the present inputs and polynomials, like step(), after which the
  /// model and outputs() are restored. `ahead` gets the double outputs. Returns their time, which
  /// may be long before t + h. Nothing: not possible here.
  /// @throws Error if the model fails in the step or cannot be rolled back as declared
  virtual std::optional<double> look_ahead(double /*t*/, double /*h*/,
                                           std::vector<double>& /*ahead*/) {
    return {};
  }
  /// Whether look_ahead() depends on the inputs, rather than on reported output derivatives.
  virtual bool can_look_ahead() const { return false; }

  /// Moves the storage of the values there: inputs, then outputs.
  std::size_t word_count() const { return inputs_.word_count() + outputs_.word_count(); }
  void move_words_to(std::uint64_t* place) {
    inputs_.move_words_to(place);
    outputs_.move_words_to(place + inputs_.word_count());
  }
  /// An event in parts, together with other instances: begin_event, then in any order set_some and
  /// get_some, then end_event, which returns the same as handle_event(). @pre has_event_mode()
  virtual void begin_event() {}
  virtual bool end_event(double /*t*/) { return true; }
  /// @pre has_event_mode()
  /// @post the present inputs have taken effect at t; outputs() are those after the event.
  /// Returns false if the model requests to end the run.
  virtual bool handle_event(double t) = 0;
  virtual void finish() = 0;

  /// Can roll back to any saved state. FMI 1.0 with canRejectSteps can only repeat a step.
  virtual bool can_go_back() const = 0;
  /// @pre can_go_back(), or only the last step is repeated and the model can do that. A snapshot
  /// may be restored many times.
  virtual void save(Snapshot& into) = 0;
  virtual void restore(const Snapshot& from) = 0;
  /// A snapshot can be serialized, for a process in which the same model was initialized.
  virtual bool can_write_state() const { return false; }
  /// @pre can_write_state()
  virtual std::string write_state(const Snapshot& /*from*/) { return {}; }
  virtual Snapshot read_state(std::string_view /*bytes*/) { return {}; }

  /// Each step declares that it may be rolled back (noSetFMUStatePriorToCurrentPoint = false),
  /// which must not change the results.
  virtual bool has_rollback_flag() const { return false; }
  /// Tries a step with and without the flag, and warns if the results differ. Restores the state.
  /// @pre a step was taken
  virtual void try_rollback_flag(double /*t*/, double /*h*/) {}

  /// Any variables of the model, at a communication point: read, or set between two steps (in event
  /// mode, if it has one).
  virtual void read(ValueSet& /*values*/) {}
  virtual void assign(ValueSet& /*values*/) {}
  /// Declares to the model whether the following steps may be rolled back.
  virtual void expect_rollback(bool /*expected*/) {}

  /// Steps of different sizes are possible.
  virtual bool can_vary_step() const = 0;
  /// A jump of an input must go through handle_event().
  virtual bool has_event_mode() const = 0;
  /// The next known time event: no step may lead beyond.
  virtual std::optional<double> next_event() const = 0;
  virtual const CallCounts& counts() const = 0;
  /// Nothing: the model brings its own solver.
  virtual std::optional<SolverStatistics> solver_statistics() const { return {}; }
  /// The FMUs of a cluster, by name; none: it is one component.
  virtual std::vector<std::pair<std::string, CallCounts>> member_counts() const { return {}; }
  /// Its outputs are functions of the present inputs: in an event, the inputs must be updated
  /// first.
  virtual bool follows_in_events() const { return false; }

 protected:
  ValueSet inputs_, outputs_;
};

}  // namespace tutti::models
