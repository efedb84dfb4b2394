// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <exception>

#include "fmi/direct_functions.hpp"
#include "fmi/instance.hpp"
#include "fmi/owned.hpp"
#include "fmi/state_structure.hpp"

namespace tutti::fmi {

/// The requests of the FMU after an accepted integrator step.
struct IntegratorStep {
  bool enter_event_mode = false;
  bool terminate = false;
};

/// What elements of a variable depend on, at the present point of an instance.
struct ElementDependencies {
  struct Entry {
    std::size_t element = 0;  ///< of the variable, from 1; 0: all
    ValueReference known = 0;
    std::size_t known_element = 0;  ///< the same of the known
  };
  std::vector<Entry> entries;
  std::string complaint;  ///< empty, or why the FMU's answer is not usable
};

/// Model exchange: dx/dt = f(t, x, u) with events.
/// After exit_initialization the instance is in event mode:
///   update_discrete_states until nothing is needed -> enter_continuous_time_mode
///   -> set_time, set_continuous_states, set inputs, get_derivatives, get_event_indicators
///   -> completed_integrator_step -> (event) enter_event_mode -> ...
/// FMI 1.0 has no modes; its implementation has the same order and maps it to fmiInitialize and
/// fmiEventUpdate.
class ModelExchange : public virtual FmuInstance {
 public:
  virtual std::size_t continuous_state_count() const = 0;
  virtual std::size_t event_indicator_count() const = 0;

  virtual void enter_event_mode() = 0;
  virtual DiscreteUpdate update_discrete_states() = 0;
  virtual void enter_continuous_time_mode() = 0;

  virtual void set_time(double t) = 0;
  virtual void set_continuous_states(std::span<const double> x) = 0;
  virtual void get_continuous_states(std::span<double> x) = 0;
  virtual void get_derivatives(std::span<double> dx) = 0;
  virtual void get_event_indicators(std::span<double> z) = 0;
  /// A nominal that is 0 or not finite is returned as 1.
  virtual void get_nominals(std::span<double> nominals) = 0;
  virtual IntegratorStep completed_integrator_step(bool may_go_back = false) = 0;
  /// By state, a variable with its value (FMI 1.0, whose descriptions do not name the states).
  /// Empty: the FMU does not provide them.
  virtual std::vector<ValueReference> state_references() { return {}; }

  /// @pre capabilities().per_element_dependencies, and initialization mode has ended. `most`: the
  /// number of entries that is accepted
  virtual ElementDependencies element_dependencies(ValueReference /*dependent*/,
                                                   std::uint64_t /*most*/) {
    return {};
  }

  /// The functions for direct calls in continuous-time mode; no version: there are none.
  virtual DirectFunctions direct_functions() const { return {}; }
  /// Direct evaluations are counted by the caller from now on, who has the time, too.
  virtual void follow_direct_evaluations(const DirectUse& /*use*/) {}
  /// A direct call in an evaluation that was not counted, because it did not end.
  virtual void count_direct_call(DirectFunctions::Call /*call*/) {}
  /// A direct call ended with this status, which is not ok, or by an exception: logs a
  /// warning. @throws Error, Discarded for everything else
  virtual void judge_direct_call(DirectFunctions::Call /*call*/, int /*status*/,
                                 const std::exception_ptr& /*thrown*/) {}

  /// Instances that this one consists of; none: it is one FMU.
  virtual std::span<const Owned<ModelExchange>> members() const { return {}; }
  /// Algebraic unknowns among the states are solved for from now on, wherever the instance is, or
  /// taken as they are set.
  virtual void solve_unknowns(bool /*solve*/) {}
  /// Null: the description has what is known of the states.
  virtual const StateStructure* state_structure() const { return nullptr; }
  /// d(derivatives) along a seed of the states, where the instance is.
  /// @pre state_structure() is not null
  virtual void differentiate_states(std::span<const double> /*seed*/,
                                    std::span<double> /*result*/) {}
};

}  // namespace tutti::fmi
