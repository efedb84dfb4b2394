// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fmi/abi/fmi1.hpp"

/// FMI 1.0 puts the name of the model into the names of its functions, so the kit implements them
/// under neutral names, and prefixed.cpp, compiled once per model, defines the real names.
namespace fmukit::v1 {

namespace abi = fmi_abi::v1;

abi::GetTypesPlatform get_types_platform;
abi::GetVersion get_version;
abi::SetDebugLogging set_debug_logging;
abi::GetReal get_real;
abi::GetInteger get_integer;
abi::GetBoolean get_boolean;
abi::GetString get_string;
abi::SetReal set_real;
abi::SetInteger set_integer;
abi::SetBoolean set_boolean;
abi::SetString set_string;

abi::InstantiateModel instantiate_model;
abi::FreeModelInstance free_instance;
abi::SetTime set_time;
abi::SetContinuousStates set_continuous_states;
abi::CompletedIntegratorStep completed_integrator_step;
abi::Initialize initialize;
abi::GetDerivatives get_derivatives;
abi::GetEventIndicators get_event_indicators;
abi::EventUpdate event_update;
abi::GetContinuousStates get_continuous_states;
abi::GetNominalContinuousStates get_nominal_continuous_states;
abi::GetStateValueReferences get_state_value_references;
abi::Terminate terminate;

abi::InstantiateSlave instantiate_slave;
abi::InitializeSlave initialize_slave;
abi::ResetSlave reset_slave;
abi::SetRealInputDerivatives set_real_input_derivatives;
abi::GetRealOutputDerivatives get_real_output_derivatives;
abi::CancelStep cancel_step;
abi::DoStep do_step;
abi::GetStatus get_status;
abi::GetRealStatus get_real_status;
abi::GetIntegerStatus get_integer_status;
abi::GetBooleanStatus get_boolean_status;
abi::GetStringStatus get_string_status;

}  // namespace fmukit::v1
