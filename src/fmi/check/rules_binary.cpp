// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fmi/check/reporter.hpp"

namespace tutti::fmi::rules {
namespace {

/// Functions of the C interface that are needed in the same cases.
struct InterfaceFunctions {
  enum Kinds : std::uint8_t { model_exchange = 1, co_simulation = 2, scheduled = 4, all = 7 };
  std::string_view names;    ///< as in the standard (in FMI 1.0 without the prefix), with blanks
  std::uint8_t kinds = all;  ///< the interfaces that have them
  bool rarely = false;       ///< needed only by FMUs that use them
  bool Capabilities::*capability = nullptr;  ///< needed only where this flag is set; null: always
  std::optional<Type> type = {};             ///< needed only where there is a variable of it
};

using F = InterfaceFunctions;
constexpr bool Capabilities::*state = &Capabilities::can_save_state;
constexpr bool Capabilities::*serialized = &Capabilities::can_serialize_state;
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
     .capability = serialized},
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
     .capability = serialized},
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

/// Every function that a shared library of this version exports, by the standard: FMI 2.0, section
/// 2.3, and FMI 3.0, section 2.5, also require those of capabilities that the FMU does not have.
std::span<const InterfaceFunctions> interface_functions(FmiVersion version) {
  constexpr std::span<const InterfaceFunctions> all[] = {functions_v1, functions_v2, functions_v3};
  return all[static_cast<std::size_t>(version)];
}

/// The platform that the folder of a library names.
struct Machine {
  std::string_view folder;
  int bits;
  unsigned machine;
};
constexpr std::array<Machine, 8> linux_machines = {{{"linux32", 32, EM_386},
                                                    {"linux64", 64, EM_X86_64},
                                                    {"x86-linux", 32, EM_386},
                                                    {"x86_64-linux", 64, EM_X86_64},
                                                    {"aarch32-linux", 32, EM_ARM},
                                                    {"aarch64-linux", 64, EM_AARCH64},
                                                    {"riscv32-linux", 32, EM_RISCV},
                                                    {"riscv64-linux", 64, EM_RISCV}}};

bool uses(const ModelDescription& description, Type type) {
  const bool whole =
      type == Type::int32;  // fmi2GetInteger is for enumerations too, as fmi3GetInt64
  const bool wide = type == Type::int64 && description.version == FmiVersion::v3;
  return std::ranges::any_of(description.variables, [&](const Variable& variable) {
    if (variable.type == type) return true;
    if (variable.type != Type::enumeration) return false;
    return wide || (whole && description.version != FmiVersion::v3);
  });
}

/// Whether an FMU that has this interface can run without the functions.
bool is_needed(const ModelDescription& description, const InterfaceFunctions& functions,
               std::uint8_t kind, const Capabilities& can) {
  if (functions.rarely || (functions.kinds & kind) == 0) return false;
  if (functions.capability != nullptr) return can.*functions.capability;
  return !functions.type || uses(description, *functions.type);
}

/// The functions that a library lacks: those that are needed, or the others that must be present.
std::vector<std::string> missing(const Subject& fmu, const LibraryFile& library, bool needed) {
  const ModelDescription& description = fmu.description;
  const std::array<std::pair<std::uint8_t, const std::optional<Capabilities>*>, 3> interfaces = {
      {{InterfaceFunctions::model_exchange, &description.model_exchange},
       {InterfaceFunctions::co_simulation, &description.co_simulation},
       {InterfaceFunctions::scheduled, &description.scheduled_execution}}};
  std::vector<std::string> names;
  for (const InterfaceFunctions& functions : interface_functions(fmu.version)) {
    bool expected = fmu.version == FmiVersion::v3, is_used = false;
    for (const auto& [kind, can] : interfaces) {
      if (!*can || (*can)->model_identifier != library.model_identifier) continue;
      expected = expected || (functions.kinds & kind) != 0;
      is_used = is_used || is_needed(description, functions, kind, **can);
    }
    if (!expected || is_used != needed) continue;
    for_each_item(functions.names, [&](std::string_view function) {
      std::string name(function);
      if (fmu.version == FmiVersion::v1) name.insert(0, library.model_identifier + "_");
      if (!std::ranges::binary_search(library.elf.exports, name)) names.push_back(std::move(name));
    });
  }
  return names;
}

void report_missing(const Subject& fmu, Reporter& report, bool needed) {
  for (const LibraryFile& library : fmu.libraries) {
    if (!library.elf.has_symbols) continue;
    const std::vector<std::string> names = missing(fmu, library, needed);
    if (!names.empty()) {
      report.file(library.path, "it does not export {}", fmt::join(names, ", "));
    }
  }
}

}  // namespace

void binary_format(const Subject& fmu, Reporter& report) {
  for (const LibraryFile& library : fmu.libraries) {
    if (library.path.ends_with(".dll") && !library.head.starts_with("MZ")) {
      report.file(library.path, "it is not a Windows library");
    }
    if (!library.path.ends_with(".so")) continue;
    if (!library.elf.is_elf) {
      report.file(library.path, "it is not a shared library of Linux (ELF)");
      continue;
    }
    for (const Machine& expected : linux_machines) {
      if (expected.folder != library.platform || library.elf.machine == 0) continue;
      if (expected.bits != library.elf.bits || expected.machine != library.elf.machine) {
        report.file(library.path, "it is built for another machine ({} bits) than its folder names",
                    library.elf.bits);
      }
    }
    if (!library.elf.has_symbols && library.elf.machine != 0) {
      report.file(library.path, "it has no table of the functions that it exports");
    }
  }
}

void binary_functions(const Subject& fmu, Reporter& report) { report_missing(fmu, report, true); }

void binary_unused_functions(const Subject& fmu, Reporter& report) {
  report_missing(fmu, report, false);
}

}  // namespace tutti::fmi::rules
