// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/co_simulation.hpp"

#include "fmi/resource_location.hpp"
#include "fmi/scalar_co_simulation.hpp"
#include "fmi/v1/component.hpp"

namespace tutti::fmi::v1 {
namespace {

class CoSimulationV1 final
    : public ScalarCoSimulation<Component, abi::Status, abi::StatusKind, abi::Boolean> {
 public:
  CoSimulationV1(const InstanceSetup& setup, const CoSimulationOptions& options);

  void exit_initialization() override;

  StepOutcome do_step(double t, double h, bool) override {
    expect_counted(mode::step | mode::step_inputs_set, "do_step");
    return take_step(t, h, abi::true_value);
  }
  StepOutcome redo_step(double t, double h) override;

 private:
  std::string location_, mime_type_;  ///< some FMUs keep the pointers that they get
  Function<abi::InstantiateSlave> instantiate_slave_ = require("fmiInstantiateSlave");
  Function<abi::InitializeSlave> initialize_slave_ = require("fmiInitializeSlave");
};

CoSimulationV1::CoSimulationV1(const InstanceSetup& setup, const CoSimulationOptions& options)
    : ScalarCoSimulation(setup, options) {
  get_types_platform = find("fmiGetTypesPlatform");
  terminate_function = find("fmiTerminateSlave");
  free_function = find("fmiFreeSlaveInstance");
  reset_function = find("fmiResetSlave");
  do_step_ = require("fmiDoStep");
  set_input_derivatives_ = find("fmiSetRealInputDerivatives", "canInterpolateInputs");
  get_output_derivatives_ = find("fmiGetRealOutputDerivatives");
  get_status_ = find("fmiGetStatus");
  get_real_status_ = find("fmiGetRealStatus");
  do_step_status_ = abi::do_step_status;
  last_successful_time_ = abi::last_successful_time;

  location_ = file_uri(std::filesystem::absolute(setup.folder));
  mime_type_ = capabilities().mime_type;
  if (mime_type_.empty()) mime_type_ = "application/x-fmu-sharedlibrary";
  // Only an FMU that runs asynchronously has use for stepFinished.
  abi::CoSimulationCallbacks functions = callbacks();
  if (!capabilities().can_run_asynchronously) functions.step_finished = nullptr;
  constexpr double no_limit = 0;  // timeout in milliseconds
  instantiate([&] {
    return invoke(instantiate_slave_, name().c_str(), description().token.c_str(),
                  location_.c_str(), mime_type_.c_str(), no_limit, abi::false_value,
                  abi::false_value, functions, options.logging);
  });
}

void CoSimulationV1::exit_initialization() {
  expect(mode::initialization, "exit_initialization");
  const Experiment& planned = experiment();
  guarded("initialization", [&] {
    call(initialize_slave_, planned.start, abi::Boolean{planned.stop.has_value()},
         planned.stop.value_or(0));
  });
  set_mode(mode::step);
}

StepOutcome CoSimulationV1::redo_step(double t, double h) {
  if (!capabilities().can_redo_step) {
    cannot("the FMU cannot repeat a step (canRejectSteps=\"false\")");
  }
  expect_counted(mode::step | mode::step_inputs_set, "redo_step");
  return take_step(t, h, abi::false_value);
}

}  // namespace

std::unique_ptr<CoSimulation> make_co_simulation(const InstanceSetup& setup,
                                                 const CoSimulationOptions& options) {
  return std::make_unique<CoSimulationV1>(setup, options);
}

}  // namespace tutti::fmi::v1
