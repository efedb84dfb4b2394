// SPDX-License-Identifier: BSD-2-Clause
// Compiled once per model, with FMUKIT_IDENTIFIER = its model identifier: the functions of FMI 1.0
// under their real names, for both interfaces. Weak, so that a model may replace them.
#include "v1/functions.hpp"

#define FMUKIT_JOIN_(a, b) a##_##b
#define FMUKIT_JOIN(a, b) FMUKIT_JOIN_(a, b)
#define FMUKIT_NAME(name) FMUKIT_JOIN(FMUKIT_IDENTIFIER, name)
#define FMUKIT_EXPORTED extern "C" __attribute__((visibility("default"), weak)) abi::

namespace v1 = fmukit::v1;
namespace abi = fmi_abi::v1;

namespace {
using C = abi::Component;
using Refs = const abi::ValueReference*;
using Size = std::size_t;
using Orders = const abi::Integer*;
}  // namespace

#define FMUKIT_STATUS(name, target, parameters, arguments) \
  FMUKIT_EXPORTED Status FMUKIT_NAME(name) parameters { return v1::target arguments; }

// Both interfaces.
extern "C" __attribute__((visibility("default"), weak)) const char* FMUKIT_NAME(
    fmiGetTypesPlatform)() {
  return v1::get_types_platform();
}
extern "C" __attribute__((visibility("default"), weak)) const char* FMUKIT_NAME(
    fmiGetModelTypesPlatform)() {
  return v1::get_types_platform();
}
extern "C" __attribute__((visibility("default"), weak)) const char* FMUKIT_NAME(fmiGetVersion)() {
  return v1::get_version();
}
FMUKIT_STATUS(fmiSetDebugLogging, set_debug_logging, (C c, abi::Boolean on), (c, on))
FMUKIT_STATUS(fmiGetReal, get_real, (C c, Refs r, Size n, abi::Real* v), (c, r, n, v))
FMUKIT_STATUS(fmiGetInteger, get_integer, (C c, Refs r, Size n, abi::Integer* v), (c, r, n, v))
FMUKIT_STATUS(fmiGetBoolean, get_boolean, (C c, Refs r, Size n, abi::Boolean* v), (c, r, n, v))
FMUKIT_STATUS(fmiGetString, get_string, (C c, Refs r, Size n, abi::String* v), (c, r, n, v))
FMUKIT_STATUS(fmiSetReal, set_real, (C c, Refs r, Size n, const abi::Real* v), (c, r, n, v))
FMUKIT_STATUS(fmiSetInteger, set_integer, (C c, Refs r, Size n, const abi::Integer* v),
              (c, r, n, v))
FMUKIT_STATUS(fmiSetBoolean, set_boolean, (C c, Refs r, Size n, const abi::Boolean* v),
              (c, r, n, v))
FMUKIT_STATUS(fmiSetString, set_string, (C c, Refs r, Size n, const abi::String* v), (c, r, n, v))

// Model exchange.
FMUKIT_EXPORTED Component FMUKIT_NAME(fmiInstantiateModel)(abi::String name, abi::String guid,
                                                           abi::ModelExchangeCallbacks callbacks,
                                                           abi::Boolean logging_on) {
  return v1::instantiate_model(name, guid, callbacks, logging_on);
}
extern "C" __attribute__((visibility("default"), weak)) void FMUKIT_NAME(fmiFreeModelInstance)(
    C c) {
  v1::free_instance(c);
}
FMUKIT_STATUS(fmiSetTime, set_time, (C c, abi::Real t), (c, t))
FMUKIT_STATUS(fmiSetContinuousStates, set_continuous_states, (C c, const abi::Real* x, Size n),
              (c, x, n))
FMUKIT_STATUS(fmiCompletedIntegratorStep, completed_integrator_step,
              (C c, abi::Boolean* call_event_update), (c, call_event_update))
FMUKIT_STATUS(fmiInitialize, initialize,
              (C c, abi::Boolean controlled, abi::Real tolerance, abi::EventInfo* info),
              (c, controlled, tolerance, info))
FMUKIT_STATUS(fmiGetDerivatives, get_derivatives, (C c, abi::Real* dx, Size n), (c, dx, n))
FMUKIT_STATUS(fmiGetEventIndicators, get_event_indicators, (C c, abi::Real* z, Size n), (c, z, n))
FMUKIT_STATUS(fmiEventUpdate, event_update, (C c, abi::Boolean intermediate, abi::EventInfo* info),
              (c, intermediate, info))
FMUKIT_STATUS(fmiGetContinuousStates, get_continuous_states, (C c, abi::Real* x, Size n), (c, x, n))
FMUKIT_STATUS(fmiGetNominalContinuousStates, get_nominal_continuous_states,
              (C c, abi::Real* x, Size n), (c, x, n))
FMUKIT_STATUS(fmiGetStateValueReferences, get_state_value_references,
              (C c, abi::ValueReference* r, Size n), (c, r, n))
FMUKIT_STATUS(fmiTerminate, terminate, (C c), (c))

// Co-simulation.
FMUKIT_EXPORTED Component FMUKIT_NAME(fmiInstantiateSlave)(
    abi::String name, abi::String guid, abi::String location, abi::String mime_type,
    abi::Real timeout, abi::Boolean visible, abi::Boolean interactive,
    abi::CoSimulationCallbacks callbacks, abi::Boolean logging_on) {
  return v1::instantiate_slave(name, guid, location, mime_type, timeout, visible, interactive,
                               callbacks, logging_on);
}
extern "C" __attribute__((visibility("default"), weak)) void FMUKIT_NAME(fmiFreeSlaveInstance)(
    C c) {
  v1::free_instance(c);
}
FMUKIT_STATUS(fmiInitializeSlave, initialize_slave,
              (C c, abi::Real start, abi::Boolean stop_defined, abi::Real stop),
              (c, start, stop_defined, stop))
FMUKIT_STATUS(fmiTerminateSlave, terminate, (C c), (c))
FMUKIT_STATUS(fmiResetSlave, reset_slave, (C c), (c))
FMUKIT_STATUS(fmiSetRealInputDerivatives, set_real_input_derivatives,
              (C c, Refs r, Size n, Orders o, const abi::Real* v), (c, r, n, o, v))
FMUKIT_STATUS(fmiGetRealOutputDerivatives, get_real_output_derivatives,
              (C c, Refs r, Size n, Orders o, abi::Real* v), (c, r, n, o, v))
FMUKIT_STATUS(fmiCancelStep, cancel_step, (C c), (c))
FMUKIT_STATUS(fmiDoStep, do_step, (C c, abi::Real t, abi::Real h, abi::Boolean new_step),
              (c, t, h, new_step))
FMUKIT_STATUS(fmiGetStatus, get_status, (C c, abi::StatusKind k, abi::Status* v), (c, k, v))
FMUKIT_STATUS(fmiGetRealStatus, get_real_status, (C c, abi::StatusKind k, abi::Real* v), (c, k, v))
FMUKIT_STATUS(fmiGetIntegerStatus, get_integer_status, (C c, abi::StatusKind k, abi::Integer* v),
              (c, k, v))
FMUKIT_STATUS(fmiGetBooleanStatus, get_boolean_status, (C c, abi::StatusKind k, abi::Boolean* v),
              (c, k, v))
FMUKIT_STATUS(fmiGetStringStatus, get_string_status, (C c, abi::StatusKind k, abi::String* v),
              (c, k, v))
