// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "master/externals.hpp"
#include "master/initialization.hpp"
#include "master/input_curves.hpp"
#include "master/linear_correction.hpp"

namespace tutti::master {

struct Phase;

/// What the inputs of all components do inside a step, where they are not all constant, and what
/// is made of the outputs at its end.
class StepInputs {
 public:
  StepInputs(Assembly& assembly, Externals& externals);
  StepInputs(const StepInputs&) = delete;
  StepInputs& operator=(const StepInputs&) = delete;

  /// All inputs are constant over a step: there is nothing to be done here.
  bool are_constant() const { return curves_.empty(); }
  /// What an input can know of the end of a step, before its component is called, follows from when
  /// the components are called.
  void describe(const std::vector<Phase>& phases);

  /// What happened to components at a communication point.
  struct AtPoint {
    bool handled_events = false;  ///< of components whose inputs jumped or were made to agree
    bool ends_run = false;        ///< a component asked for that
    std::optional<std::uint32_t> ended_by = {};  ///< which one, where it is known
  };
  /// Curves lead from the values that belong to t to those at the end of the step: what comes from
  /// outside is known there, what other components give as soon as they have stepped.
  void begin(double t, AtPoint& at);
  /// All components are at t, the end of a step of h. `may_step`: none of them has an event there.
  void end(double t, double h, bool may_step, AtPoint& at);

  /// Extrapolated inputs have no past at t, the start of a run with fixed steps of h: finds how
  /// they move in the first step. False: nothing shows that, so this step should be taken in short
  /// parts, between start_in_parts() and end_parts().
  bool start(double t, double h, const std::function<bool()>& proceeds);
  void start_in_parts();
  void end_parts();

  /// What inputs did says nothing about what follows.
  void forget();
  /// Nor do the derivatives of outputs.
  void forget_derivatives();
  void keep(Memory& memory);

  std::span<InputCurves> curves() { return curves_; }
  std::span<const InputCurves> curves() const { return curves_; }
  /// The component is in a cycle whose method predicts its inputs, and corrects its outputs.
  bool are_predicted(std::size_t component) const { return predicted_[component]; }
  /// See LinearCorrection; null: nothing is corrected, or it is not known.
  const double* doubt(std::size_t component, std::size_t input) const {
    return correction_ ? correction_->doubt(component, input) : nullptr;
  }

 private:
  /// When a component is called in a step.
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
  std::unique_ptr<Agreement> agreement_;  ///< consistent coupling
};

}  // namespace tutti::master
