// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/direct_calls.hpp"
#include "fmi/scalar_co_simulation.hpp"
#include "fmi/v2/component.hpp"

namespace tutti::fmi::v2 {
namespace {

class CoSimulationV2 final
    : public ScalarCoSimulation<Component, abi::Status, abi::StatusKind, abi::Boolean> {
 public:
  CoSimulationV2(const InstanceSetup& setup, const CoSimulationOptions& options);

  void exit_initialization() override { leave_initialization(mode::step); }

  StepOutcome do_step(double t, double h, bool may_go_back) override {
    expect_counted(mode::step | mode::step_inputs_set, "do_step");
    return step(t, h, may_go_back);
  }
  DirectStep direct_step(const Batch& inputs, const Batch& outputs) override;
  StepOutcome resume(const DirectStep& step, const DirectStep::End& end, double t,
                     double h) override {
    return resume_direct_step(*this, step, end, do_step_.name, t, h);
  }
  StepOutcome redo_step(double, double) override {
    throw std::logic_error(with_name("redo_step belongs to FMI 1.0"));
  }

  // For resume_direct_step().
  StepOutcome step(double t, double h, bool may_go_back) {
    return take_step(t, h, abi::Boolean{!may_go_back});
  }
  StepOutcome judge_direct_step(const DirectStep::End& end, double t, double h) {
    return judge_step(end.result, t, h);
  }
};

CoSimulationV2::CoSimulationV2(const InstanceSetup& setup, const CoSimulationOptions& options)
    : ScalarCoSimulation(setup, options) {
  do_step_ = require("fmi2DoStep");
  set_input_derivatives_ = find("fmi2SetRealInputDerivatives", "canInterpolateInputs");
  get_output_derivatives_ = find("fmi2GetRealOutputDerivatives");
  get_status_ = find("fmi2GetStatus");
  get_real_status_ = find("fmi2GetRealStatus");
  get_boolean_status_ = find("fmi2GetBooleanStatus");
  do_step_status_ = abi::do_step_status;
  last_successful_time_ = abi::last_successful_time;
  terminated_ = abi::terminated;
  instantiate(options, abi::co_simulation);
}

// A step that continues after doStep has returned must be distinguished from earlier ones.
DirectStep CoSimulationV2::direct_step(const Batch& inputs, const Batch& outputs) {
  DirectStep step = prepare_direct_step(*this, do_step_, inputs, outputs);
  if (!capabilities().can_run_asynchronously) step.version = DirectStep::Version::fmi2;
  finished.store(status::none, std::memory_order_relaxed);
  return step;
}

}  // namespace

std::unique_ptr<CoSimulation> make_co_simulation(const InstanceSetup& setup,
                                                 const CoSimulationOptions& options) {
  return std::make_unique<CoSimulationV2>(setup, options);
}

}  // namespace tutti::fmi::v2
