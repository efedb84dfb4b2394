// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/model_exchange.hpp"

#include "fmi/instance_adapter.hpp"
#include "fmi/nominals.hpp"
#include "fmi/v2/component.hpp"
#include "fmi/v2/make.hpp"

namespace tutti::fmi::v2 {
namespace {

// The table in section 3.2.3 of FMI 2.0.5.
constexpr std::uint32_t evaluable =
    mode::initialization | mode::event | mode::continuous_time | mode::terminated;

class ModelExchangeV2 final : public InstanceAdapter<ModelExchange, Component> {
 public:
  ModelExchangeV2(const InstanceSetup& setup, const InstanceOptions& options);

  void enter_initialization(const Experiment& experiment) override {
    component_.enter_initialization(experiment);
  }
  void exit_initialization() override { component_.exit_initialization(mode::event); }

  std::size_t continuous_state_count() const override {
    return description().continuous_state_count;
  }
  std::size_t event_indicator_count() const override { return description().event_indicator_count; }

  void enter_event_mode() override {
    component_.expect(mode::continuous_time, "enter_event_mode");
    component_.call(enter_event_mode_);
    component_.set_mode(mode::event);
  }
  DiscreteUpdate update_discrete_states() override;
  void enter_continuous_time_mode() override {
    component_.expect(mode::event, "enter_continuous_time_mode");
    component_.call(enter_continuous_time_mode_);
    component_.set_mode(mode::continuous_time);
  }

  void set_time(double t) override {
    component_.expect(mode::continuous_time, "set_time");
    component_.set_time(t);
    component_.call(set_time_, t);
  }
  void set_continuous_states(std::span<const double> x) override {
    component_.expect(mode::continuous_time, "set_continuous_states");
    component_.call(set_continuous_states_, x.data(), x.size());
  }
  void get_continuous_states(std::span<double> x) override {
    component_.expect(evaluable, "get_continuous_states");
    component_.call(get_continuous_states_, x.data(), x.size());
  }
  void get_derivatives(std::span<double> dx) override {
    component_.expect(evaluable, "get_derivatives");
    ++component_.counts().derivatives;
    component_.call(get_derivatives_, dx.data(), dx.size());
  }
  void get_event_indicators(std::span<double> z) override {
    component_.expect(evaluable, "get_event_indicators");
    component_.call(get_event_indicators_, z.data(), z.size());
  }
  void get_nominals(std::span<double> nominals) override {
    component_.expect(evaluable | mode::instantiated, "get_nominals");
    component_.call(get_nominals_, nominals.data(), nominals.size());
    make_nominals_usable(nominals);
  }
  IntegratorStep completed_integrator_step(bool may_go_back) override;

 private:
  Function<abi::EnterEventMode> enter_event_mode_;
  Function<abi::NewDiscreteStates> new_discrete_states_;
  Function<abi::EnterContinuousTimeMode> enter_continuous_time_mode_;
  Function<abi::CompletedIntegratorStep> completed_integrator_step_;
  Function<abi::SetTime> set_time_;
  Function<abi::SetContinuousStates> set_continuous_states_;
  Function<abi::GetDerivatives> get_derivatives_;
  Function<abi::GetEventIndicators> get_event_indicators_;
  Function<abi::GetContinuousStates> get_continuous_states_;
  Function<abi::GetNominalsOfContinuousStates> get_nominals_;
};

ModelExchangeV2::ModelExchangeV2(const InstanceSetup& setup, const InstanceOptions& options)
    : InstanceAdapter(setup, options) {
  const Library& library = *setup.library;
  library.require(enter_event_mode_, "fmi2EnterEventMode");
  library.require(new_discrete_states_, "fmi2NewDiscreteStates");
  library.require(enter_continuous_time_mode_, "fmi2EnterContinuousTimeMode");
  library.find(completed_integrator_step_, "fmi2CompletedIntegratorStep");
  library.require(set_time_, "fmi2SetTime");
  library.require(set_continuous_states_, "fmi2SetContinuousStates");
  library.require(get_derivatives_, "fmi2GetDerivatives");
  library.find(get_event_indicators_, "fmi2GetEventIndicators");
  library.require(get_continuous_states_, "fmi2GetContinuousStates");
  library.find(get_nominals_, "fmi2GetNominalsOfContinuousStates");
  component_.instantiate(options, abi::model_exchange);
}

DiscreteUpdate ModelExchangeV2::update_discrete_states() {
  component_.expect(mode::event, "update_discrete_states");
  ++component_.counts().event_updates;
  abi::EventInfo info{};
  component_.call(new_discrete_states_, &info);
  DiscreteUpdate update;
  update.needs_another = info.new_discrete_states_needed != 0;
  update.terminate = info.terminate_simulation != 0;
  update.nominals_changed = info.nominals_of_continuous_states_changed != 0;
  if (info.next_event_time_defined != 0) update.next_event_time = info.next_event_time;
  return update;
}

IntegratorStep ModelExchangeV2::completed_integrator_step(bool may_go_back) {
  component_.expect(mode::continuous_time, "completed_integrator_step");
  if (!capabilities().needs_completed_integrator_step) return {};
  abi::Boolean enter_event_mode = 0;
  abi::Boolean terminate = 0;
  component_.call(completed_integrator_step_, abi::Boolean{!may_go_back}, &enter_event_mode,
                  &terminate);
  return {enter_event_mode != 0, terminate != 0};
}

}  // namespace

std::unique_ptr<ModelExchange> make_model_exchange(const InstanceSetup& setup,
                                                   const InstanceOptions& options) {
  return std::make_unique<ModelExchangeV2>(setup, options);
}

}  // namespace tutti::fmi::v2
