// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <exception>

#include "fmi/instance_adapter.hpp"
#include "fmi/v3/component.hpp"

namespace tutti::fmi::v3 {

class CoSimulationV3;

/// The instanceEnvironment of co-simulation: the component comes first for the logger.
class CoSimulationComponent : public Component {
 public:
  using Component::Component;
  CoSimulationV3* face = nullptr;
};

class CoSimulationV3 final : public InstanceAdapter<CoSimulation, CoSimulationComponent> {
 public:
  CoSimulationV3(const InstanceSetup& setup, const CoSimulationOptions& options);

  void enter_initialization(const Experiment& experiment) override {
    component_.enter_initialization(experiment);
  }
  void exit_initialization() override {
    component_.exit_initialization(event_mode_ ? mode::event : mode::step);
  }

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

  void set_input_derivatives(std::span<const ValueReference>, std::span<const std::int32_t>,
                             std::span<const double>) override {
    component_.cannot(
        "FMI 3.0 takes no input derivatives; inputs inside a step are set by intermediate update");
  }
  void get_output_derivatives(std::span<const ValueReference> references,
                              std::span<const std::int32_t> orders,
                              std::span<double> values) override;

  bool event_mode_used() const override { return event_mode_; }
  void enter_event_mode() override {
    need_event_mode();
    component_.enter_event_mode(mode::stepping);
  }
  DiscreteUpdate update_discrete_states() override {
    need_event_mode();
    return component_.update_discrete_states();
  }
  void enter_step_mode() override {
    need_event_mode();
    component_.expect(mode::event, "enter_step_mode");
    component_.call(enter_step_mode_);
    component_.set_mode(mode::step);
  }

  /// The callback. Never throws: the FMU's stack frames are below.
  std::optional<double> update(const IntermediateMoment& moment) noexcept;

 private:
  friend InstanceAdapter;
  [[gnu::always_inline]] bool try_step(double t, double h, bool may_go_back = false) {
    component_.set_time(t);
    answer_ = {};
    answer_.reached = t + h;
    answer_.result =
        component_.invoke(do_step_, component_.component(), t, h, !may_go_back, &answer_.event,
                          &answer_.terminate, &answer_.early, &answer_.reached);
    component_.keep_float_control_after_step(do_step_.name);
    if (answer_.result != status::ok || answer_.event || answer_.terminate || answer_.early ||
        thrown_) [[unlikely]]
      return false;
    component_.set_mode(mode::step);
    return true;
  }
  [[gnu::noinline]] StepOutcome judge_step(double t, double h);
  StepOutcome judge_direct_step(const DirectStep::End& end, double t, double h) {
    answer_ = {end.result, end.event, end.terminate, end.early, end.reached};
    return judge_step(t, h);
  }
  StepOutcome step(double t, double h, bool may_go_back = false) {
    ++component_.counts().do_step;
    if (!try_step(t, h, may_go_back)) return judge_step(t, h);
    return {StepOutcome::Status::done, t + h};
  }
  void check(const CoSimulationOptions& options) const;
  void need_event_mode() const {
    if (event_mode_) return;
    throw std::logic_error(component_.speak("event mode was not asked for at instantiation"));
  }
  [[noreturn]] void rethrow(int result, double h);

  bool event_mode_;
  bool early_return_;
  IntermediateUpdate intermediate_update_;
  /// What the last doStep answered.
  struct Answer {
    int result = status::ok;
    bool event = false, terminate = false, early = false;
    double reached = 0;
  };
  Answer answer_;
  std::exception_ptr thrown_;  ///< by the intermediate update, on its way around the FMU
  Function<abi::InstantiateCoSimulation> instantiate_;
  Function<abi::EnterStepMode> enter_step_mode_;
  Function<abi::GetOutputDerivatives> get_output_derivatives_;
  Function<abi::DoStep> do_step_;
};

}  // namespace tutti::fmi::v3
