// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

/// The C interface of FMI 2.0 (2.0.5), platform "default", as far as functions are called by type.
/// A function type `Name` belongs to the symbol `fmi2<Name>`.
namespace fmi_abi::v2 {

using Component = void*;
using ComponentEnvironment = void*;
using FmuState = void*;
using ValueReference = unsigned int;
using Real = double;
using Integer = int;
using Boolean = int;
using String = const char*;
using Byte = char;

enum Status : int { ok, warning, discard, error, fatal, pending };
enum Kind : int { model_exchange, co_simulation };
enum StatusKind : int { do_step_status, pending_status, last_successful_time, terminated };

extern "C" {
using Logger = void (*)(ComponentEnvironment, String instance_name, Status, String category,
                        String message, ...);
using AllocateMemory = void* (*)(std::size_t count, std::size_t size);
using FreeMemory = void (*)(void*);
using StepFinished = void (*)(ComponentEnvironment, Status);
}

struct Callbacks {
  Logger logger;
  AllocateMemory allocate_memory;
  FreeMemory free_memory;
  StepFinished step_finished;
  ComponentEnvironment environment;
};

struct EventInfo {
  Boolean new_discrete_states_needed;
  Boolean terminate_simulation;
  Boolean nominals_of_continuous_states_changed;
  Boolean values_of_continuous_states_changed;
  Boolean next_event_time_defined;
  Real next_event_time;
};

extern "C" {
// Both kinds.
using GetTypesPlatform = const char*();
using GetVersion = const char*();
using SetDebugLogging = Status(Component, Boolean logging_on, std::size_t count, const String*);
using Instantiate = Component(String instance_name, Kind, String guid, String resource_location,
                              const Callbacks*, Boolean visible, Boolean logging_on);
using FreeInstance = void(Component);
using SetupExperiment = Status(Component, Boolean tolerance_defined, Real tolerance, Real start,
                               Boolean stop_time_defined, Real stop);
using EnterInitializationMode = Status(Component);
using ExitInitializationMode = Status(Component);
using Terminate = Status(Component);
using Reset = Status(Component);
using GetReal = Status(Component, const ValueReference*, std::size_t, Real*);
using GetInteger = Status(Component, const ValueReference*, std::size_t, Integer*);
using GetBoolean = Status(Component, const ValueReference*, std::size_t, Boolean*);
using GetString = Status(Component, const ValueReference*, std::size_t, String*);
using SetReal = Status(Component, const ValueReference*, std::size_t, const Real*);
using SetInteger = Status(Component, const ValueReference*, std::size_t, const Integer*);
using SetBoolean = Status(Component, const ValueReference*, std::size_t, const Boolean*);
using SetString = Status(Component, const ValueReference*, std::size_t, const String*);
// These six are spelt ...FMUstate... in the symbols: fmi2GetFMUstate, fmi2DeSerializeFMUstate.
using GetFmuState = Status(Component, FmuState*);
using SetFmuState = Status(Component, FmuState);
using FreeFmuState = Status(Component, FmuState*);
using SerializedFmuStateSize = Status(Component, FmuState, std::size_t*);
using SerializeFmuState = Status(Component, FmuState, Byte*, std::size_t);
using DeSerializeFmuState = Status(Component, const Byte*, std::size_t, FmuState*);
using GetDirectionalDerivative = Status(Component, const ValueReference* unknowns,
                                        std::size_t unknown_count, const ValueReference* knowns,
                                        std::size_t known_count, const Real* seed,
                                        Real* sensitivity);

// Model exchange.
using EnterEventMode = Status(Component);
using NewDiscreteStates = Status(Component, EventInfo*);
using EnterContinuousTimeMode = Status(Component);
using CompletedIntegratorStep = Status(Component, Boolean no_set_state_prior,
                                       Boolean* enter_event_mode, Boolean* terminate_simulation);
using SetTime = Status(Component, Real);
using SetContinuousStates = Status(Component, const Real*, std::size_t);
using GetDerivatives = Status(Component, Real*, std::size_t);
using GetEventIndicators = Status(Component, Real*, std::size_t);
using GetContinuousStates = Status(Component, Real*, std::size_t);
using GetNominalsOfContinuousStates = Status(Component, Real*, std::size_t);

// Co-simulation.
using SetRealInputDerivatives = Status(Component, const ValueReference*, std::size_t,
                                       const Integer* order, const Real*);
using GetRealOutputDerivatives = Status(Component, const ValueReference*, std::size_t,
                                        const Integer* order, Real*);
using DoStep = Status(Component, Real t, Real h, Boolean no_set_state_prior);
using CancelStep = Status(Component);
using GetStatus = Status(Component, StatusKind, Status*);
using GetRealStatus = Status(Component, StatusKind, Real*);
using GetIntegerStatus = Status(Component, StatusKind, Integer*);
using GetBooleanStatus = Status(Component, StatusKind, Boolean*);
using GetStringStatus = Status(Component, StatusKind, String*);
}

}  // namespace fmi_abi::v2
