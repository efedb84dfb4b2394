// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include "fmi/instance_adapter.hpp"
#include "fmi/step_end.hpp"

namespace tutti::fmi {

/// What co-simulation of FMI 1.0 and 2.0 has in common: steps that may be pending, derivatives of
/// inputs and outputs, no event mode.
template <class Component, class Status, class StatusKind, class Boolean>
class ScalarCoSimulation : public InstanceAdapter<CoSimulation, Component> {
 public:
  void set_input_derivatives(std::span<const ValueReference> references,
                             std::span<const std::int32_t> orders,
                             std::span<const double> values) final {
    component_.expect(
        mode::instantiated | mode::initialization | mode::step | mode::step_inputs_set,
        "set_input_derivatives");
    if (!component_.capabilities().can_interpolate_inputs) {
      component_.cannot("the FMU takes no input derivatives (canInterpolateInputs=\"false\")");
    }
    ++component_.counts().set;
    component_.call(set_input_derivatives_, references.data(), references.size(), orders.data(),
                    values.data());
    if (component_.mode() == mode::step) component_.set_mode(mode::step_inputs_set);
  }
  void get_output_derivatives(std::span<const ValueReference> references,
                              std::span<const std::int32_t> orders,
                              std::span<double> values) final {
    component_.expect(mode::step | mode::terminated, "get_output_derivatives");
    if (component_.capabilities().max_output_derivative_order == 0) {
      component_.cannot("the FMU gives no output derivatives (maxOutputDerivativeOrder=\"0\")");
    }
    ++component_.counts().get;
    component_.call(get_output_derivatives_, references.data(), references.size(), orders.data(),
                    values.data());
  }

  bool event_mode_used() const final { return false; }
  void enter_event_mode() final { throw no_event_mode(); }
  DiscreteUpdate update_discrete_states() final { throw no_event_mode(); }
  void enter_step_mode() final { throw no_event_mode(); }

 protected:
  using InstanceAdapter<CoSimulation, Component>::component_;
  using InstanceAdapter<CoSimulation, Component>::InstanceAdapter;

  /// `flag`: newStep in 1.0, noSetFMUStatePriorToCurrentPoint in 2.0.
  StepOutcome take_step(double t, double h, Boolean flag) {
    ++component_.counts().do_step;
    component_.set_time(t);
    component_.finished.store(status::none, std::memory_order_relaxed);
    const int result = component_.invoke(do_step_, component_.component(), t, h, flag);
    component_.keep_float_control_after_step(do_step_.name);
    if (result != status::ok) [[unlikely]]
      return judge_step(result, t, h);
    component_.set_mode(mode::step);
    return {StepOutcome::Status::done, t + h};
  }
  [[gnu::noinline]] StepOutcome judge_step(int result, double t, double h) {
    const StepOutcome outcome =
        end_.judge(component_, result, do_step_.name, t, h, component_.finished);
    component_.finished.store(status::none,
                              std::memory_order_relaxed);  // for a direct step
    return outcome;
  }

  Function<Status(void*, double, double, Boolean)> do_step_;
  Function<Status(void*, const ValueReference*, std::size_t, const int*, const double*)>
      set_input_derivatives_;
  Function<Status(void*, const ValueReference*, std::size_t, const int*, double*)>
      get_output_derivatives_;
  StepEnd<Status, StatusKind, Boolean> end_;

 private:
  std::logic_error no_event_mode() const {
    return std::logic_error(component_.speak(fmt::format(
        "co-simulation of FMI {} has no event mode", to_string(component_.description().version))));
  }
};

}  // namespace tutti::fmi
