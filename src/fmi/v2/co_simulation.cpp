// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/v2/co_simulation.hpp"

#include "fmi/v2/make.hpp"

namespace tutti::fmi::v2 {

CoSimulationV2::CoSimulationV2(const InstanceSetup& setup, const CoSimulationOptions& options)
    : InstanceAdapter(setup, options) {
  const Library& library = *setup.library;
  library.require(do_step_, "fmi2DoStep");
  library.find(set_real_input_derivatives_, "fmi2SetRealInputDerivatives", "canInterpolateInputs");
  library.find(get_real_output_derivatives_, "fmi2GetRealOutputDerivatives");
  library.find(end_.get_status, "fmi2GetStatus");
  library.find(end_.get_real_status, "fmi2GetRealStatus");
  library.find(end_.get_boolean_status, "fmi2GetBooleanStatus");
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

void CoSimulationV2::set_input_derivatives(std::span<const ValueReference> references,
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

void CoSimulationV2::get_output_derivatives(std::span<const ValueReference> references,
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

std::unique_ptr<CoSimulation> make_co_simulation(const InstanceSetup& setup,
                                                 const CoSimulationOptions& options) {
  return std::make_unique<CoSimulationV2>(setup, options);
}

}  // namespace tutti::fmi::v2
