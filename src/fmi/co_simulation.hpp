// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "fmi/direct_step.hpp"
#include "fmi/instance.hpp"

namespace tutti::fmi {

/// A time inside a step at which an FMI 3.0 FMU calls intermediateUpdate.
struct IntermediateMoment {
  double time = 0;
  bool set_requested = false;  ///< intermediate inputs may be set now
  bool get_allowed = false;    ///< the required intermediate variables may be read now
  bool step_finished = false;  ///< an internal step was accepted
  bool can_return_early = false;
};

class CoSimulation;
/// Returns the time at which doStep should return early, or nothing to continue. An exception
/// thrown here is stored and rethrown by do_step, so that it does not pass through the FMU's stack
/// frames.
using IntermediateUpdate =
    std::function<std::optional<double>(CoSimulation&, const IntermediateMoment&)>;

struct CoSimulationOptions : InstanceOptions {
  // FMI 3.0: arguments of instantiation; each only if the FMU has the capability.
  bool event_mode = false;
  bool early_return = false;
  std::vector<ValueReference> intermediate_variables;
  IntermediateUpdate intermediate_update;
};

/// Co-simulation: after exit_initialization, in any order
///   set inputs -> [set_input_derivatives] -> do_step -> get outputs -> [get_output_derivatives]
/// and with event mode (3.0) at start, after an event or when an input jumps:
///   enter_event_mode -> set -> update_discrete_states until nothing is needed -> enter_step_mode.
class CoSimulation : public virtual FmuInstance {
 public:
  /// Advances from t by h. Waits for a pending step (1.0, 2.0). `may_go_back`: a state before t may
  /// still be restored (noSetFMUStatePriorToCurrentPoint is its negation).
  virtual StepOutcome do_step(double t, double h, bool may_go_back = false) = 0;
  /// The same with set() of all inputs before and get() of all outputs after it, as bare calls.
  /// Version none: not possible for this instance.
  /// @pre both are doubles, possibly empty
  virtual DirectStep direct_step(const Batch& /*inputs*/, const Batch& /*outputs*/) { return {}; }
  /// Continues a direct step that did not end plainly: handles its status and makes the remaining
  /// calls.
  virtual StepOutcome resume(const DirectStep& /*step*/, const DirectStep::End& /*end*/, double t,
                             double /*h*/) {
    return {StepOutcome::Status::discarded, t};
  }
  /// FMI 1.0 with `can_redo_step`: repeats the last step from its start, with new inputs.
  virtual StepOutcome redo_step(double t, double h) = 0;

  /// values[i] is the orders[i]-th time derivative of references[i] at the start of the next step.
  virtual void set_input_derivatives(References references, std::span<const std::int32_t> orders,
                                     std::span<const double> values) = 0;
  virtual void get_output_derivatives(References references, std::span<const std::int32_t> orders,
                                      std::span<double> values) = 0;

  virtual bool event_mode_used() const = 0;
  virtual void enter_event_mode() = 0;
  virtual DiscreteUpdate update_discrete_states() = 0;
  virtual void enter_step_mode() = 0;
};

}  // namespace tutti::fmi
