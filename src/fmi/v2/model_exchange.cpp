// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/continuous_time.hpp"
#include "fmi/v2/component.hpp"

namespace tutti::fmi::v2 {
namespace {

// The table in section 3.2.3 of FMI 2.0.5.
constexpr std::uint32_t evaluable =
    mode::initialization | mode::event | mode::continuous_time | mode::terminated;
constexpr ContinuousTimeRules rules = {.set_time = "fmi2SetTime",
                                       .set_continuous_states = "fmi2SetContinuousStates",
                                       .get_derivatives = "fmi2GetDerivatives",
                                       .get_event_indicators = "fmi2GetEventIndicators",
                                       .get_continuous_states = "fmi2GetContinuousStates",
                                       .get_nominals = "fmi2GetNominalsOfContinuousStates",
                                       .enter_continuous_time_mode = "fmi2EnterContinuousTimeMode",
                                       .states_readable = evaluable,
                                       .evaluable = evaluable,
                                       .nominals_readable = evaluable | mode::instantiated};

class ModelExchangeV2 final : public ContinuousTime<Component, abi::Status> {
 public:
  ModelExchangeV2(const InstanceSetup& setup, const InstanceOptions& options);

  void exit_initialization() override { leave_initialization(mode::event); }

  void enter_event_mode() override {
    expect(mode::continuous_time, "enter_event_mode");
    call(enter_event_mode_);
    set_mode(mode::event);
  }
  DiscreteUpdate update_discrete_states() override;

  IntegratorStep completed_integrator_step(bool may_go_back) override;

 private:
  Function<abi::EnterEventMode> enter_event_mode_ = require("fmi2EnterEventMode");
  Function<abi::NewDiscreteStates> new_discrete_states_ = require("fmi2NewDiscreteStates");
  Function<abi::CompletedIntegratorStep> completed_integrator_step_ =
      find("fmi2CompletedIntegratorStep");
};

ModelExchangeV2::ModelExchangeV2(const InstanceSetup& setup, const InstanceOptions& options)
    : ContinuousTime(setup, options, rules) {
  bind();
  instantiate(options, abi::model_exchange);
}

DiscreteUpdate ModelExchangeV2::update_discrete_states() {
  expect(mode::event, "update_discrete_states");
  ++counts().event_updates;
  abi::EventInfo info{};
  call(new_discrete_states_, &info);
  DiscreteUpdate update;
  update.needs_another = info.new_discrete_states_needed != 0;
  update.terminate = info.terminate_simulation != 0;
  update.nominals_changed = info.nominals_of_continuous_states_changed != 0;
  if (info.next_event_time_defined != 0) update.next_event_time = info.next_event_time;
  return update;
}

IntegratorStep ModelExchangeV2::completed_integrator_step(bool may_go_back) {
  expect(mode::continuous_time, "completed_integrator_step");
  if (!capabilities().needs_completed_integrator_step) return {};
  abi::Boolean enter_event_mode = 0;
  abi::Boolean terminate = 0;
  call(completed_integrator_step_, abi::Boolean{!may_go_back}, &enter_event_mode, &terminate);
  return {enter_event_mode != 0, terminate != 0};
}

}  // namespace

std::unique_ptr<ModelExchange> make_model_exchange(const InstanceSetup& setup,
                                                   const InstanceOptions& options) {
  return std::make_unique<ModelExchangeV2>(setup, options);
}

}  // namespace tutti::fmi::v2
