// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

/// The C interface of FMI 1.0 (Model Exchange 2010-01-26, Co-Simulation 2010-10-12), platform
/// "standard32". A function type `Name` belongs to the symbol `<modelIdentifier>_fmi<Name>`.
namespace fmi_abi::v1 {

using Component = void*;
using ValueReference = unsigned int;
using Real = double;
using Integer = int;
using Boolean = char;
using String = const char*;

inline constexpr Boolean true_value = 1;
inline constexpr Boolean false_value = 0;

enum Status : int { ok, warning, discard, error, fatal, pending };
enum StatusKind : int { do_step_status, pending_status, last_successful_time };

extern "C" {
using Logger = void (*)(Component, String instance_name, Status, String category, String message,
                        ...);
using AllocateMemory = void* (*)(std::size_t count, std::size_t size);
using FreeMemory = void (*)(void*);
using StepFinished = void (*)(Component, Status);
}

/// Passed by value to InstantiateModel.
struct ModelExchangeCallbacks {
  Logger logger;
  AllocateMemory allocate_memory;
  FreeMemory free_memory;
};

/// Passed by value to InstantiateSlave.
struct CoSimulationCallbacks {
  Logger logger;
  AllocateMemory allocate_memory;
  FreeMemory free_memory;
  StepFinished step_finished;
};

struct EventInfo {
  Boolean iteration_converged;
  Boolean state_value_references_changed;
  Boolean state_values_changed;
  Boolean terminate_simulation;
  Boolean upcoming_time_event;
  Real next_event_time;
};

extern "C" {
// Both kinds. The version of the types is `fmiGetTypesPlatform` in co-simulation and
// `fmiGetModelTypesPlatform` in model exchange.
using GetTypesPlatform = const char*();
using GetVersion = const char*();
using SetDebugLogging = Status(Component, Boolean logging_on);
using GetReal = Status(Component, const ValueReference*, std::size_t, Real*);
using GetInteger = Status(Component, const ValueReference*, std::size_t, Integer*);
using GetBoolean = Status(Component, const ValueReference*, std::size_t, Boolean*);
using GetString = Status(Component, const ValueReference*, std::size_t, String*);
using SetReal = Status(Component, const ValueReference*, std::size_t, const Real*);
using SetInteger = Status(Component, const ValueReference*, std::size_t, const Integer*);
using SetBoolean = Status(Component, const ValueReference*, std::size_t, const Boolean*);
using SetString = Status(Component, const ValueReference*, std::size_t, const String*);

// Model exchange.
using InstantiateModel = Component(String instance_name, String guid, ModelExchangeCallbacks,
                                   Boolean logging_on);
using FreeModelInstance = void(Component);
using SetTime = Status(Component, Real);
using SetContinuousStates = Status(Component, const Real*, std::size_t);
using CompletedIntegratorStep = Status(Component, Boolean* call_event_update);
using Initialize = Status(Component, Boolean tolerance_controlled, Real relative_tolerance,
                          EventInfo*);
using GetDerivatives = Status(Component, Real*, std::size_t);
using GetEventIndicators = Status(Component, Real*, std::size_t);
using EventUpdate = Status(Component, Boolean intermediate_results, EventInfo*);
using GetContinuousStates = Status(Component, Real*, std::size_t);
using GetNominalContinuousStates = Status(Component, Real*, std::size_t);
using GetStateValueReferences = Status(Component, ValueReference*, std::size_t);
using Terminate = Status(Component);

// Co-simulation.
using InstantiateSlave = Component(String instance_name, String guid, String fmu_location,
                                   String mime_type, Real timeout, Boolean visible,
                                   Boolean interactive, CoSimulationCallbacks, Boolean logging_on);
using InitializeSlave = Status(Component, Real start, Boolean stop_time_defined, Real stop);
using ResetSlave = Status(Component);
using FreeSlaveInstance = void(Component);
using SetRealInputDerivatives = Status(Component, const ValueReference*, std::size_t,
                                       const Integer* order, const Real*);
using GetRealOutputDerivatives = Status(Component, const ValueReference*, std::size_t,
                                        const Integer* order, Real*);
using CancelStep = Status(Component);
using DoStep = Status(Component, Real t, Real h, Boolean new_step);
using GetStatus = Status(Component, StatusKind, Status*);
using GetRealStatus = Status(Component, StatusKind, Real*);
using GetIntegerStatus = Status(Component, StatusKind, Integer*);
using GetBooleanStatus = Status(Component, StatusKind, Boolean*);
using GetStringStatus = Status(Component, StatusKind, String*);
}

}  // namespace fmi_abi::v1
