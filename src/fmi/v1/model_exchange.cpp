// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/continuous_time.hpp"
#include "fmi/v1/component.hpp"

namespace tutti::fmi::v1 {
namespace {

constexpr std::uint32_t initialized = mode::event | mode::continuous_time;
constexpr ContinuousTimeRules rules = {.set_time = "fmiSetTime",
                                       .set_continuous_states = "fmiSetContinuousStates",
                                       .get_derivatives = "fmiGetDerivatives",
                                       .get_event_indicators = "fmiGetEventIndicators",
                                       .get_continuous_states = "fmiGetContinuousStates",
                                       .get_nominals = "fmiGetNominalContinuousStates",
                                       .enter_continuous_time_mode = nullptr,
                                       .states_readable = initialized | mode::terminated,
                                       .evaluable = initialized,
                                       .nominals_readable = initialized};

/// FMI 1.0 has no modes: event mode and continuous-time mode are tracked here, so that all versions
/// have the same interface.
class ModelExchangeV1 final : public ContinuousTime<Component, abi::Status> {
 public:
  ModelExchangeV1(const InstanceSetup& setup, const InstanceOptions& options);

  void exit_initialization() override;

  void enter_event_mode() override {
    expect(mode::continuous_time, "enter_event_mode");
    set_mode(mode::event);
  }
  DiscreteUpdate update_discrete_states() override;

  IntegratorStep completed_integrator_step(bool may_go_back) override;
  std::vector<ValueReference> state_references() override;

 private:
  Function<abi::InstantiateModel> instantiate_model_ = require("fmiInstantiateModel");
  Function<abi::Initialize> initialize_ = require("fmiInitialize");
  Function<abi::EventUpdate> event_update_ = require("fmiEventUpdate");
  Function<abi::CompletedIntegratorStep> completed_integrator_step_ =
      find("fmiCompletedIntegratorStep");
  Function<abi::GetStateValueReferences> get_state_value_references_ =
      find("fmiGetStateValueReferences");
  std::optional<abi::EventInfo> initial_event_;  ///< result of fmiInitialize, until it is read
};

ModelExchangeV1::ModelExchangeV1(const InstanceSetup& setup, const InstanceOptions& options)
    : ContinuousTime(setup, options, rules) {
  get_types_platform = find("fmiGetModelTypesPlatform");
  terminate_function = find("fmiTerminate");
  free_function = find("fmiFreeModelInstance");
  bind();
  const abi::CoSimulationCallbacks all = callbacks();
  const abi::ModelExchangeCallbacks functions = {all.logger, all.allocate_memory, all.free_memory};
  instantiate([&] {
    return invoke(instantiate_model_, name().c_str(), description().token.c_str(), functions,
                  options.logging);
  });
}

// fmiSetTime comes before fmiInitialize, which solves the initial equations at that time.
void ModelExchangeV1::exit_initialization() {
  expect(mode::initialization, "exit_initialization");
  const Experiment& planned = experiment();
  abi::EventInfo info{};
  guarded("initialization", [&] {
    call(set_time_, planned.start);
    call(initialize_, abi::Boolean{planned.tolerance.has_value()}, planned.tolerance.value_or(0),
         &info);
  });
  initial_event_ = info;
  set_mode(mode::event);
}

// With intermediateResults = true the FMU returns after each iteration, as later versions do.
// fmiInitialize includes the first one.
DiscreteUpdate ModelExchangeV1::update_discrete_states() {
  expect(mode::event, "update_discrete_states");
  ++counts().event_updates;
  abi::EventInfo info{};
  if (initial_event_) {
    info = *initial_event_;
    initial_event_.reset();
  } else {
    call(event_update_, abi::true_value, &info);
  }
  DiscreteUpdate update;
  update.needs_another = info.iteration_converged == abi::false_value;
  update.terminate = info.terminate_simulation != abi::false_value;
  update.nominals_changed = info.state_value_references_changed != abi::false_value;
  if (info.upcoming_time_event != abi::false_value) update.next_event_time = info.next_event_time;
  return update;
}

IntegratorStep ModelExchangeV1::completed_integrator_step(bool) {
  expect(mode::continuous_time, "completed_integrator_step");
  if (!capabilities().needs_completed_integrator_step) return {};
  abi::Boolean call_event_update = abi::false_value;
  call(completed_integrator_step_, &call_event_update);
  return {call_event_update != abi::false_value, false};
}

std::vector<ValueReference> ModelExchangeV1::state_references() {
  expect(initialized, "state_references");
  if (get_state_value_references_.address == nullptr) return {};
  std::vector<ValueReference> references(continuous_state_count());
  call(get_state_value_references_, references.data(), references.size());
  return references;
}

}  // namespace

std::unique_ptr<ModelExchange> make_model_exchange(const InstanceSetup& setup,
                                                   const InstanceOptions& options) {
  return std::make_unique<ModelExchangeV1>(setup, options);
}

}  // namespace tutti::fmi::v1
