// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/instance_adapter.hpp"
#include "fmi/step_end.hpp"
#include "fmi/v2/component.hpp"

namespace tutti::fmi::v2 {

class CoSimulationV2 final : public InstanceAdapter<CoSimulation, Component> {
 public:
  CoSimulationV2(const InstanceSetup& setup, const CoSimulationOptions& options);

  void enter_initialization(const Experiment& experiment) override {
    component_.enter_initialization(experiment);
  }
  void exit_initialization() override { component_.exit_initialization(mode::step); }

  StepOutcome do_step(double t, double h, bool may_go_back) override {
    component_.expect_counted(mode::step | mode::step_inputs_set, "do_step");
    return step(t, h, may_go_back);
  }
  DirectStep direct_step(const Batch& inputs, const Batch& outputs) override;
  StepOutcome resume(const DirectStep& step, const DirectStep::End& end, double t,
                     double h) override {
    return resume_direct_step(*this, step, end, do_step_.name, t, h);
  }
  StepOutcome redo_step(double, double) override {
    throw std::logic_error(component_.speak("redo_step belongs to FMI 1.0"));
  }

  void set_input_derivatives(std::span<const ValueReference> references,
                             std::span<const std::int32_t> orders,
                             std::span<const double> values) override;
  void get_output_derivatives(std::span<const ValueReference> references,
                              std::span<const std::int32_t> orders,
                              std::span<double> values) override;

  bool event_mode_used() const override { return false; }
  void enter_event_mode() override { no_event_mode(); }
  DiscreteUpdate update_discrete_states() override { no_event_mode(); }
  void enter_step_mode() override { no_event_mode(); }

 private:
  friend InstanceAdapter;
  [[gnu::always_inline]] bool try_step(double t, double h, bool may_go_back = false) {
    component_.set_time(t);
    component_.finished.store(status::none, std::memory_order_relaxed);
    result_ = component_.invoke(do_step_, component_.component(), t, h, !may_go_back);
    component_.keep_float_control_after_step(do_step_.name);
    if (result_ != status::ok) [[unlikely]]
      return false;
    component_.set_mode(mode::step);
    return true;
  }
  [[gnu::noinline]] StepOutcome judge_step(double t, double h) {
    const StepOutcome outcome =
        end_.judge(component_, result_, do_step_.name, t, h, component_.finished);
    component_.finished.store(status::none, std::memory_order_relaxed);  // for a direct step
    return outcome;
  }
  StepOutcome judge_direct_step(const DirectStep::End& end, double t, double h) {
    result_ = end.result;
    return judge_step(t, h);
  }
  StepOutcome step(double t, double h, bool may_go_back = false) {
    ++component_.counts().do_step;
    if (!try_step(t, h, may_go_back)) return judge_step(t, h);
    return {StepOutcome::Status::done, t + h};
  }
  [[noreturn]] void no_event_mode() const {
    throw std::logic_error(component_.speak("co-simulation of FMI 2.0 has no event mode"));
  }

  int result_ = status::ok;  ///< of the last doStep
  Function<abi::DoStep> do_step_;
  Function<abi::SetRealInputDerivatives> set_real_input_derivatives_;
  Function<abi::GetRealOutputDerivatives> get_real_output_derivatives_;
  StepEnd<abi::Status, abi::StatusKind, abi::Boolean> end_;
};

}  // namespace tutti::fmi::v2
