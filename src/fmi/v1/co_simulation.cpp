// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/co_simulation.hpp"

#include "fmi/instance_adapter.hpp"
#include "fmi/resource_location.hpp"
#include "fmi/step_end.hpp"
#include "fmi/v1/component.hpp"
#include "fmi/v1/make.hpp"
#include "fmi/v1/registry.hpp"

namespace tutti::fmi::v1 {
namespace {

class CoSimulationV1 final : public InstanceAdapter<CoSimulation, Component> {
 public:
  CoSimulationV1(const InstanceSetup& setup, const CoSimulationOptions& options);

  void enter_initialization(const Experiment& experiment) override {
    component_.enter_initialization(experiment);
  }
  void exit_initialization() override;

  StepOutcome do_step(double t, double h, bool) override {
    component_.expect_counted(mode::step | mode::step_inputs_set, "do_step");
    return step(t, h);
  }
  StepOutcome redo_step(double t, double h) override;

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
  [[gnu::always_inline]] bool try_step(double t, double h,
                                       abi::Boolean new_step = abi::true_value) {
    component_.set_time(t);
    component_.finished.store(status::none, std::memory_order_relaxed);
    result_ = component_.invoke(do_step_, component_.component(), t, h, new_step);
    component_.keep_float_control_after_step(do_step_.name);
    if (result_ != status::ok) [[unlikely]]
      return false;
    component_.set_mode(mode::step);
    return true;
  }
  [[gnu::noinline]] StepOutcome judge_step(double t, double h) {
    return end_.judge(component_, result_, do_step_.name, t, h, component_.finished);
  }
  StepOutcome step(double t, double h, abi::Boolean new_step = abi::true_value) {
    ++component_.counts().do_step;
    if (!try_step(t, h, new_step)) return judge_step(t, h);
    return {StepOutcome::Status::done, t + h};
  }
  [[noreturn]] void no_event_mode() const {
    throw std::logic_error(component_.speak("co-simulation of FMI 1.0 has no event mode"));
  }

  std::string location_, mime_type_;  ///< some FMUs keep the pointers that they are given
  Function<abi::InstantiateSlave> instantiate_slave_;
  Function<abi::InitializeSlave> initialize_slave_;
  int result_ = status::ok;  ///< of the last doStep
  Function<abi::DoStep> do_step_;
  Function<abi::SetRealInputDerivatives> set_real_input_derivatives_;
  Function<abi::GetRealOutputDerivatives> get_real_output_derivatives_;
  StepEnd<abi::Status, abi::StatusKind, abi::Boolean> end_;
};

CoSimulationV1::CoSimulationV1(const InstanceSetup& setup, const CoSimulationOptions& options)
    : InstanceAdapter(setup, options) {
  const Library& library = *setup.library;
  library.find(component_.get_types_platform, "fmiGetTypesPlatform");
  library.require(instantiate_slave_, "fmiInstantiateSlave");
  library.require(initialize_slave_, "fmiInitializeSlave");
  library.find(component_.terminate_function, "fmiTerminateSlave");
  library.find(component_.free_function, "fmiFreeSlaveInstance");
  library.find(component_.reset_function, "fmiResetSlave");
  library.require(do_step_, "fmiDoStep");
  library.find(set_real_input_derivatives_, "fmiSetRealInputDerivatives", "canInterpolateInputs");
  library.find(get_real_output_derivatives_, "fmiGetRealOutputDerivatives");
  library.find(end_.get_status, "fmiGetStatus");
  library.find(end_.get_real_status, "fmiGetRealStatus");
  end_.do_step_status = abi::do_step_status;
  end_.last_successful_time = abi::last_successful_time;

  location_ = file_uri(std::filesystem::absolute(setup.folder));
  mime_type_ = capabilities().mime_type;
  if (mime_type_.empty()) mime_type_ = "application/x-fmu-sharedlibrary";
  // Only an FMU that runs asynchronously has use for stepFinished.
  const abi::CoSimulationCallbacks functions = {
      callbacks::logger(), callbacks::allocate_memory(), callbacks::free_memory(),
      capabilities().can_run_asynchronously ? callbacks::step_finished() : nullptr};
  constexpr double wait_forever = 0;  // timeout in milliseconds
  component_.instantiate([&] {
    return component_.invoke(instantiate_slave_, name().c_str(), description().token.c_str(),
                             location_.c_str(), mime_type_.c_str(), wait_forever, options.visible,
                             abi::false_value, functions, options.logging);
  });
}

void CoSimulationV1::exit_initialization() {
  component_.expect(mode::initialization, "exit_initialization");
  const Experiment& experiment = component_.experiment();
  component_.guarded("initialization", [&] {
    component_.call(initialize_slave_, experiment.start, abi::Boolean{experiment.stop.has_value()},
                    experiment.stop.value_or(0));
  });
  component_.set_mode(mode::step);
}

StepOutcome CoSimulationV1::redo_step(double t, double h) {
  if (!capabilities().can_redo_step) {
    component_.cannot("the FMU cannot repeat a step (canRejectSteps=\"false\")");
  }
  component_.expect_counted(mode::step | mode::step_inputs_set, "redo_step");
  return step(t, h, abi::false_value);
}

void CoSimulationV1::set_input_derivatives(std::span<const ValueReference> references,
                                           std::span<const std::int32_t> orders,
                                           std::span<const double> values) {
  component_.expect(mode::instantiated | mode::initialization | mode::step | mode::step_inputs_set,
                    "set_input_derivatives");
  if (!capabilities().can_interpolate_inputs) {
    component_.cannot("the FMU takes no input derivatives (canInterpolateInputs=\"false\")");
  }
  ++component_.counts().set;
  component_.call(set_real_input_derivatives_, references.data(), references.size(), orders.data(),
                  values.data());
  if (component_.mode() == mode::step) component_.set_mode(mode::step_inputs_set);
}

void CoSimulationV1::get_output_derivatives(std::span<const ValueReference> references,
                                            std::span<const std::int32_t> orders,
                                            std::span<double> values) {
  component_.expect(mode::step | mode::terminated, "get_output_derivatives");
  if (capabilities().max_output_derivative_order == 0) {
    component_.cannot("the FMU gives no output derivatives (maxOutputDerivativeOrder=\"0\")");
  }
  ++component_.counts().get;
  component_.call(get_real_output_derivatives_, references.data(), references.size(), orders.data(),
                  values.data());
}

}  // namespace

std::unique_ptr<CoSimulation> make_co_simulation(const InstanceSetup& setup,
                                                 const CoSimulationOptions& options) {
  return std::make_unique<CoSimulationV1>(setup, options);
}

}  // namespace tutti::fmi::v1
