// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

/// The C interface of FMI 3.0 (3.0.2), as far as functions are called by type. A function type
/// `Name` belongs to the symbol `fmi3<Name>`.
namespace fmi_abi::v3 {

using Instance = void*;
using InstanceEnvironment = void*;
using FmuState = void*;
using ValueReference = std::uint32_t;
using Float64 = double;
using Boolean = bool;
using String = const char*;
using Byte = std::uint8_t;
using Binary = const Byte*;
using Clock = bool;

enum Status : int { ok, warning, discard, error, fatal };
enum DependencyKind : int { independent, constant, fixed, tunable, discrete, dependent };
enum IntervalQualifier : int { interval_not_yet_known, interval_unchanged, interval_changed };

extern "C" {
using LogMessage = void (*)(InstanceEnvironment, Status, String category, String message);
using ClockUpdate = void (*)(InstanceEnvironment);
using IntermediateUpdate = void (*)(InstanceEnvironment, Float64 time, Boolean set_requested,
                                    Boolean get_allowed, Boolean step_finished,
                                    Boolean can_return_early, Boolean* early_return_requested,
                                    Float64* early_return_time);
using LockPreemption = void (*)();
using UnlockPreemption = void (*)();

// All kinds.
using GetVersion = const char*();
using SetDebugLogging = Status(Instance, Boolean logging_on, std::size_t count, const String*);
using InstantiateModelExchange = Instance(String instance_name, String token, String resource_path,
                                          Boolean visible, Boolean logging_on, InstanceEnvironment,
                                          LogMessage);
using InstantiateCoSimulation = Instance(String instance_name, String token, String resource_path,
                                         Boolean visible, Boolean logging_on,
                                         Boolean event_mode_used, Boolean early_return_allowed,
                                         const ValueReference* required_intermediate_variables,
                                         std::size_t count, InstanceEnvironment, LogMessage,
                                         IntermediateUpdate);
using FreeInstance = void(Instance);
using EnterInitializationMode = Status(Instance, Boolean tolerance_defined, Float64 tolerance,
                                       Float64 start, Boolean stop_time_defined, Float64 stop);
using ExitInitializationMode = Status(Instance);
using EnterEventMode = Status(Instance);
using Terminate = Status(Instance);
using EnterConfigurationMode = Status(Instance);
using ExitConfigurationMode = Status(Instance);

// fmi3GetFloat32 ... fmi3GetUInt64, fmi3GetBoolean and fmi3GetString share one signature, and so do
// the setters; only the element type differs.
}
template <typename T>
using Get = Status(Instance, const ValueReference*, std::size_t, T* values,
                   std::size_t value_count);
template <typename T>
using Set = Status(Instance, const ValueReference*, std::size_t, const T* values,
                   std::size_t value_count);
extern "C" {
using GetBinary = Status(Instance, const ValueReference*, std::size_t, std::size_t* sizes,
                         Binary* values, std::size_t value_count);
using SetBinary = Status(Instance, const ValueReference*, std::size_t, const std::size_t* sizes,
                         const Binary* values, std::size_t value_count);

using GetNumberOfVariableDependencies = Status(Instance, ValueReference, std::size_t* count);
using GetVariableDependencies = Status(Instance, ValueReference dependent,
                                       std::size_t* elements_of_dependent,
                                       ValueReference* independents,
                                       std::size_t* elements_of_independents, DependencyKind*,
                                       std::size_t count);

// These six are spelt ...FMUState... in the symbols: fmi3GetFMUState, fmi3DeserializeFMUState.
using GetFmuState = Status(Instance, FmuState*);
using SetFmuState = Status(Instance, FmuState);
using FreeFmuState = Status(Instance, FmuState*);
using SerializedFmuStateSize = Status(Instance, FmuState, std::size_t*);
using SerializeFmuState = Status(Instance, FmuState, Byte*, std::size_t);
using DeserializeFmuState = Status(Instance, const Byte*, std::size_t, FmuState*);
using GetDirectionalDerivative = Status(Instance, const ValueReference* unknowns,
                                        std::size_t unknown_count, const ValueReference* knowns,
                                        std::size_t known_count, const Float64* seed,
                                        std::size_t seed_count, Float64* sensitivity,
                                        std::size_t sensitivity_count);
using GetAdjointDerivative = GetDirectionalDerivative;
using UpdateDiscreteStates = Status(Instance, Boolean* discrete_states_need_update,
                                    Boolean* terminate_simulation,
                                    Boolean* nominals_of_continuous_states_changed,
                                    Boolean* values_of_continuous_states_changed,
                                    Boolean* next_event_time_defined, Float64* next_event_time);

// Model exchange.
using EnterContinuousTimeMode = Status(Instance);
using CompletedIntegratorStep = Status(Instance, Boolean no_set_state_prior,
                                       Boolean* enter_event_mode, Boolean* terminate_simulation);
using SetTime = Status(Instance, Float64);
using SetContinuousStates = Status(Instance, const Float64*, std::size_t);
using GetEventIndicators = Status(Instance, Float64*, std::size_t);
using GetContinuousStates = Status(Instance, Float64*, std::size_t);
using GetNumberOfEventIndicators = Status(Instance, std::size_t*);
using GetNumberOfContinuousStates = Status(Instance, std::size_t*);

// Co-simulation.
using EnterStepMode = Status(Instance);
using GetOutputDerivatives = Status(Instance, const ValueReference*, std::size_t,
                                    const std::int32_t* orders, Float64*, std::size_t value_count);
using DoStep = Status(Instance, Float64 t, Float64 h, Boolean no_set_state_prior,
                      Boolean* event_handling_needed, Boolean* terminate_simulation,
                      Boolean* early_return, Float64* last_successful_time);

// Scheduled execution.
}

}  // namespace fmi_abi::v3
