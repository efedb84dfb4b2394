// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "fmi/check/functions.hpp"
#include "fmi/check/rule_functions.hpp"

namespace tutti::fmi::rules {
namespace {

/// What the folder of a library promises.
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
  return std::any_of(description.variables.begin(), description.variables.end(),
                     [&](const Variable& variable) {
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

/// The functions that a library lacks: those that are needed, or the others that must be there.
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
      report.file(library.path, "it is no Windows library");
    }
    if (!library.path.ends_with(".so")) continue;
    if (!library.elf.is_elf) {
      report.file(library.path, "it is no shared library of Linux (ELF)");
      continue;
    }
    for (const Machine& expected : linux_machines) {
      if (expected.folder != library.platform || library.elf.machine == 0) continue;
      if (expected.bits != library.elf.bits || expected.machine != library.elf.machine) {
        report.file(library.path, "it is made for another machine ({} bits) than its folder says",
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
