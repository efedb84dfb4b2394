// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>

namespace tutti::fmi {

/// What is to be compiled: one library of an unpacked FMU.
struct CompileTask {
  std::filesystem::path folder;  ///< of the unpacked FMU
  std::string component;         ///< name for log messages
  FmiVersion version{};
  const Capabilities* interface {};  ///< names the library; 2.0: lists its sources
  std::string platform;              ///< as in FMI 3.0: "x86_64-linux"
};

/// Compiles the sources of an FMU into a shared library, or finds the one compiled earlier from the
/// same sources by the same compiler. No shell is involved, and nothing is written into the FMU.
/// Several processes may do so concurrently.
/// @returns a file in the cache
/// @throws Error (binary: no sources, no compiler, does not compile, takes too long; interrupted)
std::filesystem::path compile_sources(const CompileTask& task, const FmuOptions& options,
                                      const Log& log);

/// Whether the FMU has sources.
bool has_sources(const std::filesystem::path& folder);

/// A C header of the FMI standard's interface, written for Tutti: an FMU need not contain them (FMI
/// 3.0, section 2.4.10: the importer provides them).
struct StandardHeader {
  std::string_view name;
  std::string_view text;
};

/// Those in the folder headers/, compiled in.
std::span<const StandardHeader> standard_headers();

}  // namespace tutti::fmi
