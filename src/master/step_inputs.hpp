// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "master/externals.hpp"
#include "master/initialization.hpp"
#include "master/input_curves.hpp"
#include "master/linear_correction.hpp"

namespace tutti::master {

struct Phase;

/// The inputs of all components inside a step, where they are not all constant, and the correction
/// of outputs at its end.
class StepInputs {
 public:
  StepInputs(Assembly& assembly, Externals& externals);
  StepInputs(const StepInputs&) = delete;
  StepInputs& operator=(const StepInputs&) = delete;

  /// All inputs are constant over a step: there is nothing to do here.
  bool are_constant() const { return curves_.empty(); }
  /// The order of the calls determines what is known of an input at the end of a step before its
  /// component is called.
  void describe(const std::vector<Phase>& phases);

  /// Events at a communication point.
  struct AtPoint {
    bool handled_events = false;  ///< of components whose inputs jumped or were made consistent
    bool ends_run = false;        ///< a component asked to end the run
    std::optional<std::uint32_t> ended_by = {};  ///< this component, if known
  };
  /// Curves lead from the values at t to those at the end of the step: values from outside are
  /// known there, outputs of other components as soon as they have stepped.
  void begin(double t, AtPoint& at);
  /// All components are at t, the end of a step of h. `may_step`: none of them has an event there.
  void end(double t, double h, bool may_step, AtPoint& at);

  /// Extrapolated inputs have no past at t, the start of a run with fixed steps of h: finds their
  /// slopes in the first step. False: these are unknown, so this step should be divided into short
  /// parts, between start_in_parts() and end_parts().
  bool start(double t, double h, const std::function<bool()>& proceeds);
  void start_in_parts();
  void end_parts();

  /// The past of inputs does not predict what follows.
  void forget();
  /// Neither do the derivatives of outputs.
  void forget_derivatives();
  void keep(Memory& memory);

  std::span<InputCurves> curves() { return curves_; }
  std::span<const InputCurves> curves() const { return curves_; }
  /// The component is in a cycle whose method predicts its inputs, and corrects its outputs.
  bool are_predicted(std::size_t component) const { return predicted_[component]; }
  /// See LinearCorrection; null: nothing is corrected, or it is unknown.
  const double* doubt(std::size_t component, std::size_t input) const {
    return correction_ ? correction_->doubt(component, input) : nullptr;
  }

 private:
  /// The position of a component in a step.
  struct Calling {
    std::size_t phase = 0, unit = 0, position = 0;
    bool iterates = false, reads_old_values = false;
    bool comes_before(const Calling& other) const;
  };
  std::vector<InputCurves::Input> describe_inputs(std::size_t component,
                                                  const std::vector<Calling>& calling);
  InputCurves::Input describe_external(const Wiring::Wire& wire) const;
  InputCurves::Input describe_connection(const Wiring::Wire& wire, const Calling& target,
                                         const std::vector<Calling>& calling);
  bool is_corrected(std::size_t component, std::int32_t output) const;
  void make_correction();

  Assembly& assembly_;
  Externals& externals_;
  std::vector<InputCurves> curves_;  ///< by component
  std::vector<OutputDerivatives> derivatives_;
  std::unique_ptr<bool[]> predicted_;  ///< by component
  std::unique_ptr<LinearCorrection> correction_;
  std::unique_ptr<ConsistentOutputs> consistent_outputs_;  ///< consistent coupling
};

}  // namespace tutti::master
