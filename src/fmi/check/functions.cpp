// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/check/functions.hpp"

namespace tutti::fmi {
namespace {

using F = InterfaceFunctions;
constexpr bool Capabilities::*state = &Capabilities::can_save_state;
constexpr bool Capabilities::*bytes = &Capabilities::can_serialize_state;
constexpr bool Capabilities::*slopes = &Capabilities::provides_directional_derivatives;
constexpr bool Capabilities::*adjoint = &Capabilities::provides_adjoint_derivatives;
constexpr bool Capabilities::*elements = &Capabilities::per_element_dependencies;
constexpr bool Capabilities::*events = &Capabilities::has_event_mode;

constexpr InterfaceFunctions functions_v1[] = {
    {.names = "fmiInstantiateModel fmiFreeModelInstance fmiSetTime fmiSetContinuousStates "
              "fmiCompletedIntegratorStep fmiInitialize fmiGetDerivatives fmiGetEventIndicators "
              "fmiEventUpdate fmiGetContinuousStates fmiTerminate",
     .kinds = F::model_exchange},
    {.names = "fmiGetModelTypesPlatform fmiGetNominalContinuousStates fmiGetStateValueReferences",
     .kinds = F::model_exchange,
     .rarely = true},
    {.names =
         "fmiInstantiateSlave fmiInitializeSlave fmiTerminateSlave fmiFreeSlaveInstance fmiDoStep",
     .kinds = F::co_simulation},
    {.names = "fmiGetTypesPlatform fmiResetSlave fmiSetRealInputDerivatives "
              "fmiGetRealOutputDerivatives fmiCancelStep fmiGetStatus fmiGetRealStatus "
              "fmiGetIntegerStatus fmiGetBooleanStatus fmiGetStringStatus",
     .kinds = F::co_simulation,
     .rarely = true},
    {.names = "fmiGetVersion fmiSetDebugLogging", .rarely = true},
    {.names = "fmiGetReal fmiSetReal", .type = Type::float64},
    {.names = "fmiGetInteger fmiSetInteger", .type = Type::int32},
    {.names = "fmiGetBoolean fmiSetBoolean", .type = Type::boolean},
    {.names = "fmiGetString fmiSetString", .type = Type::string},
};

constexpr InterfaceFunctions functions_v2[] = {
    {.names = "fmi2Instantiate fmi2FreeInstance fmi2SetupExperiment fmi2EnterInitializationMode "
              "fmi2ExitInitializationMode fmi2Terminate"},
    {.names = "fmi2GetTypesPlatform fmi2GetVersion fmi2SetDebugLogging fmi2Reset", .rarely = true},
    {.names = "fmi2GetReal fmi2SetReal", .type = Type::float64},
    {.names = "fmi2GetInteger fmi2SetInteger", .type = Type::int32},
    {.names = "fmi2GetBoolean fmi2SetBoolean", .type = Type::boolean},
    {.names = "fmi2GetString fmi2SetString", .type = Type::string},
    {.names = "fmi2GetFMUstate fmi2SetFMUstate fmi2FreeFMUstate", .capability = state},
    {.names = "fmi2SerializedFMUstateSize fmi2SerializeFMUstate fmi2DeSerializeFMUstate",
     .capability = bytes},
    {.names = "fmi2GetDirectionalDerivative", .capability = slopes},
    {.names = "fmi2EnterEventMode fmi2NewDiscreteStates fmi2EnterContinuousTimeMode "
              "fmi2CompletedIntegratorStep fmi2SetTime fmi2SetContinuousStates fmi2GetDerivatives "
              "fmi2GetEventIndicators fmi2GetContinuousStates",
     .kinds = F::model_exchange},
    {.names = "fmi2GetNominalsOfContinuousStates", .kinds = F::model_exchange, .rarely = true},
    {.names = "fmi2DoStep", .kinds = F::co_simulation},
    {.names = "fmi2SetRealInputDerivatives",
     .kinds = F::co_simulation,
     .capability = &Capabilities::can_interpolate_inputs},
    {.names = "fmi2GetRealOutputDerivatives fmi2CancelStep fmi2GetStatus fmi2GetRealStatus "
              "fmi2GetIntegerStatus fmi2GetBooleanStatus fmi2GetStringStatus",
     .kinds = F::co_simulation,
     .rarely = true},
};

constexpr InterfaceFunctions functions_v3[] = {
    {.names =
         "fmi3FreeInstance fmi3EnterInitializationMode fmi3ExitInitializationMode fmi3Terminate"},
    {.names = "fmi3InstantiateModelExchange", .kinds = F::model_exchange},
    {.names = "fmi3InstantiateCoSimulation", .kinds = F::co_simulation},
    {.names = "fmi3InstantiateScheduledExecution", .kinds = F::scheduled},
    {.names =
         "fmi3GetVersion fmi3SetDebugLogging fmi3Reset fmi3EnterConfigurationMode "
         "fmi3ExitConfigurationMode fmi3GetIntervalDecimal fmi3GetIntervalFraction "
         "fmi3GetShiftDecimal fmi3GetShiftFraction fmi3SetIntervalDecimal fmi3SetIntervalFraction "
         "fmi3SetShiftDecimal fmi3SetShiftFraction fmi3EvaluateDiscreteStates",
     .rarely = true},
    {.names = "fmi3GetFloat32 fmi3SetFloat32", .type = Type::float32},
    {.names = "fmi3GetFloat64 fmi3SetFloat64", .type = Type::float64},
    {.names = "fmi3GetInt8 fmi3SetInt8", .type = Type::int8},
    {.names = "fmi3GetUInt8 fmi3SetUInt8", .type = Type::uint8},
    {.names = "fmi3GetInt16 fmi3SetInt16", .type = Type::int16},
    {.names = "fmi3GetUInt16 fmi3SetUInt16", .type = Type::uint16},
    {.names = "fmi3GetInt32 fmi3SetInt32", .type = Type::int32},
    {.names = "fmi3GetUInt32 fmi3SetUInt32", .type = Type::uint32},
    {.names = "fmi3GetInt64 fmi3SetInt64", .type = Type::int64},
    {.names = "fmi3GetUInt64 fmi3SetUInt64", .type = Type::uint64},
    {.names = "fmi3GetBoolean fmi3SetBoolean", .type = Type::boolean},
    {.names = "fmi3GetString fmi3SetString", .type = Type::string},
    {.names = "fmi3GetBinary fmi3SetBinary", .type = Type::binary},
    {.names = "fmi3GetClock fmi3SetClock", .type = Type::clock},
    {.names = "fmi3GetFMUState fmi3SetFMUState fmi3FreeFMUState", .capability = state},
    {.names = "fmi3SerializedFMUStateSize fmi3SerializeFMUState fmi3DeserializeFMUState",
     .capability = bytes},
    {.names = "fmi3GetDirectionalDerivative", .capability = slopes},
    {.names = "fmi3GetAdjointDerivative", .capability = adjoint},
    {.names = "fmi3GetNumberOfVariableDependencies fmi3GetVariableDependencies",
     .capability = elements},
    {.names =
         "fmi3EnterContinuousTimeMode fmi3CompletedIntegratorStep fmi3SetTime "
         "fmi3SetContinuousStates fmi3GetContinuousStateDerivatives fmi3GetEventIndicators "
         "fmi3GetContinuousStates fmi3GetNumberOfContinuousStates fmi3GetNumberOfEventIndicators",
     .kinds = F::model_exchange},
    {.names = "fmi3GetNominalsOfContinuousStates", .kinds = F::model_exchange, .rarely = true},
    {.names = "fmi3EnterEventMode", .kinds = F::model_exchange | F::scheduled},
    {.names = "fmi3UpdateDiscreteStates", .kinds = F::model_exchange},
    {.names = "fmi3DoStep", .kinds = F::co_simulation},
    {.names = "fmi3EnterStepMode", .kinds = F::co_simulation, .capability = events},
    {.names = "fmi3GetOutputDerivatives", .kinds = F::co_simulation, .rarely = true},
    {.names = "fmi3ActivateModelPartition", .kinds = F::scheduled},
};

}  // namespace

std::span<const InterfaceFunctions> interface_functions(FmiVersion version) {
  switch (version) {
    case FmiVersion::v1:
      return functions_v1;
    case FmiVersion::v2:
      return functions_v2;
    default:
      return functions_v3;
  }
}

}  // namespace tutti::fmi
