// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/model_exchange.hpp"

#include "fmi/instance_adapter.hpp"
#include "fmi/nominals.hpp"
#include "fmi/v1/component.hpp"
#include "fmi/v1/make.hpp"
#include "fmi/v1/registry.hpp"

namespace tutti::fmi::v1 {
namespace {

constexpr std::uint32_t initialized = mode::event | mode::continuous_time;

/// FMI 1.0 has no modes: event mode and continuous-time mode are kept here, so that all versions
/// are driven alike.
class ModelExchangeV1 final : public InstanceAdapter<ModelExchange, Component> {
 public:
  ModelExchangeV1(const InstanceSetup& setup, const InstanceOptions& options);

  void enter_initialization(const Experiment& experiment) override {
    component_.enter_initialization(experiment);
  }
  void exit_initialization() override;

  std::size_t continuous_state_count() const override {
    return description().continuous_state_count;
  }
  std::size_t event_indicator_count() const override { return description().event_indicator_count; }

  void enter_event_mode() override {
    component_.expect(mode::continuous_time, "enter_event_mode");
    component_.set_mode(mode::event);
  }
  DiscreteUpdate update_discrete_states() override;
  void enter_continuous_time_mode() override {
    component_.expect(mode::event, "enter_continuous_time_mode");
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
    component_.expect(initialized | mode::terminated, "get_continuous_states");
    component_.call(get_continuous_states_, x.data(), x.size());
  }
  void get_derivatives(std::span<double> dx) override {
    component_.expect(initialized, "get_derivatives");
    ++component_.counts().derivatives;
    component_.call(get_derivatives_, dx.data(), dx.size());
  }
  void get_event_indicators(std::span<double> z) override {
    component_.expect(initialized, "get_event_indicators");
    component_.call(get_event_indicators_, z.data(), z.size());
  }
  void get_nominals(std::span<double> nominals) override {
    component_.expect(initialized, "get_nominals");
    component_.call(get_nominals_, nominals.data(), nominals.size());
    make_nominals_usable(nominals);
  }
  IntegratorStep completed_integrator_step(bool may_go_back) override;

 private:
  Function<abi::InstantiateModel> instantiate_model_;
  Function<abi::Initialize> initialize_;
  Function<abi::EventUpdate> event_update_;
  Function<abi::CompletedIntegratorStep> completed_integrator_step_;
  Function<abi::SetTime> set_time_;
  Function<abi::SetContinuousStates> set_continuous_states_;
  Function<abi::GetDerivatives> get_derivatives_;
  Function<abi::GetEventIndicators> get_event_indicators_;
  Function<abi::GetContinuousStates> get_continuous_states_;
  Function<abi::GetNominalContinuousStates> get_nominals_;
  std::optional<abi::EventInfo> initial_event_;  ///< what fmiInitialize said, until it is asked for
};

ModelExchangeV1::ModelExchangeV1(const InstanceSetup& setup, const InstanceOptions& options)
    : InstanceAdapter(setup, options) {
  const Library& library = *setup.library;
  library.find(component_.get_types_platform, "fmiGetModelTypesPlatform");
  library.require(instantiate_model_, "fmiInstantiateModel");
  library.require(initialize_, "fmiInitialize");
  library.require(event_update_, "fmiEventUpdate");
  library.find(component_.terminate_function, "fmiTerminate");
  library.find(component_.free_function, "fmiFreeModelInstance");
  library.find(completed_integrator_step_, "fmiCompletedIntegratorStep");
  library.require(set_time_, "fmiSetTime");
  library.require(set_continuous_states_, "fmiSetContinuousStates");
  library.require(get_derivatives_, "fmiGetDerivatives");
  library.find(get_event_indicators_, "fmiGetEventIndicators");
  library.require(get_continuous_states_, "fmiGetContinuousStates");
  library.find(get_nominals_, "fmiGetNominalContinuousStates");
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
