// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/make.hpp"
#include "fmi/scalar_co_simulation.hpp"
#include "fmi/v2/component.hpp"

namespace tutti::fmi::v2 {
namespace {

class CoSimulationV2 final
    : public ScalarCoSimulation<Component, abi::Status, abi::StatusKind, abi::Boolean> {
 public:
  CoSimulationV2(const InstanceSetup& setup, const CoSimulationOptions& options);

  void exit_initialization() override { component_.exit_initialization(mode::step); }

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

 private:
  friend InstanceAdapter;
  StepOutcome step(double t, double h, bool may_go_back) {
    return take_step(t, h, abi::Boolean{!may_go_back});
  }
  StepOutcome judge_direct_step(const DirectStep::End& end, double t, double h) {
    return judge_step(end.result, t, h);
  }
};

CoSimulationV2::CoSimulationV2(const InstanceSetup& setup, const CoSimulationOptions& options)
    : ScalarCoSimulation(setup, options) {
  do_step_ = component_.require("fmi2DoStep");
  set_input_derivatives_ = component_.find("fmi2SetRealInputDerivatives", "canInterpolateInputs");
  get_output_derivatives_ = component_.find("fmi2GetRealOutputDerivatives");
  end_.get_status = component_.find("fmi2GetStatus");
  end_.get_real_status = component_.find("fmi2GetRealStatus");
  end_.get_boolean_status = component_.find("fmi2GetBooleanStatus");
  end_.do_step_status = abi::do_step_status;
  end_.last_successful_time = abi::last_successful_time;
  end_.terminated = abi::terminated;
  component_.instantiate(options, abi::co_simulation);
}

// A step that goes on after doStep has returned needs to be told from those before it.
DirectStep CoSimulationV2::direct_step(const Batch& inputs, const Batch& outputs) {
  DirectStep step = prepare_direct_step(inputs, outputs);
  step.do_step = reinterpret_cast<DirectStep::Address>(do_step_.address);
  if (!capabilities().can_run_asynchronously) step.version = DirectStep::Version::fmi2;
  component_.finished.store(status::none, std::memory_order_relaxed);
  return step;
}

}  // namespace

std::unique_ptr<CoSimulation> make_co_simulation(const InstanceSetup& setup,
                                                 const CoSimulationOptions& options) {
  return std::make_unique<CoSimulationV2>(setup, options);
}

}  // namespace tutti::fmi::v2
