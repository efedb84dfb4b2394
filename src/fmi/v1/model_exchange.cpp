// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/continuous_time.hpp"
#include "fmi/make.hpp"
#include "fmi/v1/component.hpp"
#include "fmi/v1/registry.hpp"

namespace tutti::fmi::v1 {
namespace {

constexpr std::uint32_t initialized = mode::event | mode::continuous_time;
constexpr ContinuousTimeRules rules = {.set_time = "fmiSetTime",
                                       .set_continuous_states = "fmiSetContinuousStates",
                                       .get_derivatives = "fmiGetDerivatives",
                                       .get_event_indicators = "fmiGetEventIndicators",
                                       .get_continuous_states = "fmiGetContinuousStates",
                                       .get_nominals = "fmiGetNominalContinuousStates",
                                       .states_readable = initialized | mode::terminated,
                                       .evaluable = initialized,
                                       .nominals_readable = initialized};

/// FMI 1.0 has no modes: event mode and continuous-time mode are kept here, so that all versions
/// are driven alike.
class ModelExchangeV1 final : public ContinuousTime<Component, abi::Status> {
 public:
  ModelExchangeV1(const InstanceSetup& setup, const InstanceOptions& options);

  void exit_initialization() override;

  void enter_event_mode() override {
    component_.expect(mode::continuous_time, "enter_event_mode");
    component_.set_mode(mode::event);
  }
  DiscreteUpdate update_discrete_states() override;
  void enter_continuous_time_mode() override {
    component_.expect(mode::event, "enter_continuous_time_mode");
    component_.set_mode(mode::continuous_time);
  }

  IntegratorStep completed_integrator_step(bool may_go_back) override;

 private:
  Function<abi::InstantiateModel> instantiate_model_ = component_.require("fmiInstantiateModel");
  Function<abi::Initialize> initialize_ = component_.require("fmiInitialize");
  Function<abi::EventUpdate> event_update_ = component_.require("fmiEventUpdate");
  Function<abi::CompletedIntegratorStep> completed_integrator_step_ =
      component_.find("fmiCompletedIntegratorStep");
  std::optional<abi::EventInfo> initial_event_;  ///< what fmiInitialize said, until it is asked for
};

ModelExchangeV1::ModelExchangeV1(const InstanceSetup& setup, const InstanceOptions& options)
    : ContinuousTime(setup, options, rules) {
  component_.get_types_platform = component_.find("fmiGetModelTypesPlatform");
  component_.terminate_function = component_.find("fmiTerminate");
  component_.free_function = component_.find("fmiFreeModelInstance");
  bind();
  const abi::ModelExchangeCallbacks functions = {callbacks::logger(), callbacks::allocate_memory(),
                                                 callbacks::free_memory()};
  component_.instantiate([&] {
    return component_.invoke(instantiate_model_, name().c_str(), description().token.c_str(),
                             functions, options.logging);
  });
}

// fmiSetTime comes before fmiInitialize, which solves the initial equations at that time.
void ModelExchangeV1::exit_initialization() {
  component_.expect(mode::initialization, "exit_initialization");
  const Experiment& experiment = component_.experiment();
  abi::EventInfo info{};
  component_.guarded("initialization", [&] {
    component_.call(set_time_, experiment.start);
    component_.call(initialize_, abi::Boolean{experiment.tolerance.has_value()},
                    experiment.tolerance.value_or(0), &info);
  });
  initial_event_ = info;
  component_.set_mode(mode::event);
}

// With intermediateResults = true the FMU returns after each iteration, as later versions do.
// fmiInitialize includes the first one.
DiscreteUpdate ModelExchangeV1::update_discrete_states() {
  component_.expect(mode::event, "update_discrete_states");
  ++component_.counts().event_updates;
  abi::EventInfo info{};
  if (initial_event_) {
    info = *initial_event_;
    initial_event_.reset();
  } else {
    component_.call(event_update_, abi::true_value, &info);
  }
  DiscreteUpdate update;
  update.needs_another = info.iteration_converged == abi::false_value;
  update.terminate = info.terminate_simulation != abi::false_value;
  update.nominals_changed = info.state_value_references_changed != abi::false_value;
  if (info.upcoming_time_event != abi::false_value) update.next_event_time = info.next_event_time;
  return update;
}

IntegratorStep ModelExchangeV1::completed_integrator_step(bool) {
  component_.expect(mode::continuous_time, "completed_integrator_step");
  if (!capabilities().needs_completed_integrator_step) return {};
  abi::Boolean call_event_update = abi::false_value;
  component_.call(completed_integrator_step_, &call_event_update);
  return {call_event_update != abi::false_value, false};
}

}  // namespace

std::unique_ptr<ModelExchange> make_model_exchange(const InstanceSetup& setup,
                                                   const InstanceOptions& options) {
  return std::make_unique<ModelExchangeV1>(setup, options);
}

}  // namespace tutti::fmi::v1
