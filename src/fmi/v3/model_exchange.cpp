// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/model_exchange.hpp"

#include "fmi/instance_adapter.hpp"
#include "fmi/nominals.hpp"
#include "fmi/v3/component.hpp"
#include "fmi/v3/make.hpp"

namespace tutti::fmi::v3 {
namespace {

// Sections 2.3 (initialization, event mode, terminated) and 3.2.1 (continuous time).
constexpr std::uint32_t evaluable =
    mode::initialization | mode::event | mode::continuous_time | mode::terminated;

class ModelExchangeV3 final : public InstanceAdapter<ModelExchange, Component> {
 public:
  ModelExchangeV3(const InstanceSetup& setup, const InstanceOptions& options);

  void exit_configuration_mode() override {
    component_.exit_configuration_mode();
    ask_counts();
  }
  void enter_initialization(const Experiment& experiment) override {
    component_.enter_initialization(experiment);
  }
  void exit_initialization() override { component_.exit_initialization(mode::event); }
  void reset() override {
    component_.reset();
    ask_counts();
  }

  std::size_t continuous_state_count() const override { return state_count_; }
  std::size_t event_indicator_count() const override { return indicator_count_; }

  void enter_event_mode() override { component_.enter_event_mode(mode::continuous_time); }
  DiscreteUpdate update_discrete_states() override { return component_.update_discrete_states(); }
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
    component_.expect(evaluable, "get_nominals");
    component_.call(get_nominals_, nominals.data(), nominals.size());
    make_nominals_usable(nominals);
  }
  IntegratorStep completed_integrator_step(bool may_go_back) override;

 private:
  void ask_counts();

  std::size_t state_count_;
  std::size_t indicator_count_;
  Function<abi::InstantiateModelExchange> instantiate_;
  Function<abi::EnterContinuousTimeMode> enter_continuous_time_mode_;
  Function<abi::CompletedIntegratorStep> completed_integrator_step_;
  Function<abi::SetTime> set_time_;
  Function<abi::SetContinuousStates> set_continuous_states_;
  Function<abi::GetContinuousStateDerivatives> get_derivatives_;
  Function<abi::GetEventIndicators> get_event_indicators_;
  Function<abi::GetContinuousStates> get_continuous_states_;
  Function<abi::GetNominalsOfContinuousStates> get_nominals_;
  Function<abi::GetNumberOfEventIndicators> get_number_of_event_indicators_;
  Function<abi::GetNumberOfContinuousStates> get_number_of_continuous_states_;
};

ModelExchangeV3::ModelExchangeV3(const InstanceSetup& setup, const InstanceOptions& options)
    : InstanceAdapter(setup, options),
      state_count_(setup.description->continuous_state_count),
      indicator_count_(setup.description->structure.event_indicators.size()) {
  const Library& library = *setup.library;
  library.require(instantiate_, "fmi3InstantiateModelExchange");
  library.require(enter_continuous_time_mode_, "fmi3EnterContinuousTimeMode");
  library.find(completed_integrator_step_, "fmi3CompletedIntegratorStep",
               "needsCompletedIntegratorStep");
  library.require(set_time_, "fmi3SetTime");
  library.require(set_continuous_states_, "fmi3SetContinuousStates");
  library.require(get_derivatives_, "fmi3GetContinuousStateDerivatives");
  library.find(get_event_indicators_, "fmi3GetEventIndicators");
  library.require(get_continuous_states_, "fmi3GetContinuousStates");
  library.find(get_nominals_, "fmi3GetNominalsOfContinuousStates");
  library.find(get_number_of_event_indicators_, "fmi3GetNumberOfEventIndicators");
  library.find(get_number_of_continuous_states_, "fmi3GetNumberOfContinuousStates");
  component_.guarded("instantiation", [&] {
    component_.born(component_.invoke(instantiate_, name().c_str(), description().token.c_str(),
                                      component_.resources(), options.visible, options.logging,
                                      &component_, Component::logger()));
  });
  ask_counts();
}

// Structural parameters change the counts, so the instance knows them best. An FMU without the
// functions has what its description says.
void ModelExchangeV3::ask_counts() {
  if (get_number_of_continuous_states_.address) {
    component_.call(get_number_of_continuous_states_, &state_count_);
  }
  if (get_number_of_event_indicators_.address) {
    component_.call(get_number_of_event_indicators_, &indicator_count_);
  }
}

IntegratorStep ModelExchangeV3::completed_integrator_step(bool may_go_back) {
  component_.expect(mode::continuous_time, "completed_integrator_step");
  IntegratorStep step;
  if (!capabilities().needs_completed_integrator_step) return step;
  component_.call(completed_integrator_step_, !may_go_back, &step.enter_event_mode,
                  &step.terminate);
  return step;
}

}  // namespace

std::unique_ptr<ModelExchange> make_model_exchange(const InstanceSetup& setup,
                                                   const InstanceOptions& options) {
  return std::make_unique<ModelExchangeV3>(setup, options);
}

}  // namespace tutti::fmi::v3
