// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <tutti/log.hpp>
#include <vector>

namespace tutti::fmi {

/// Source files that are compiled in the same way. Paths are relative to sources/, without "..".
struct SourceFileSet {
  std::string language;              ///< "C99", "C++11"; empty: by the file's suffix
  std::string compiler;              ///< "gcc", "VisualC"; empty: any
  std::vector<std::string> options;  ///< as written in the file
  std::vector<std::string> files;
  std::vector<std::string> definitions;  ///< NAME or NAME=VALUE
  std::vector<std::string> include_folders;
};

struct BuildLibrary {
  std::string name;
  bool external = false;  ///< of the system; otherwise in binaries/<platform>
};

/// How one library of an FMU is compiled and linked.
struct BuildConfiguration {
  std::string model_identifier;
  std::string platform;  ///< empty: any
  std::vector<SourceFileSet> sets;
  std::vector<BuildLibrary> libraries;
};

/// Reads sources/buildDescription.xml (FMI 3.0, section 2.4.10; FMI 2.0 may have one since 2.0.4).
/// @throws Error (description) for files that are not well-formed and for paths that leave the
/// folder
std::vector<BuildConfiguration> read_build_description(std::string xml, std::string_view file);

/// The configuration for this library on this platform ("x86_64-linux"): one that names the
/// platform is preferred to one for any, one for supported compilers to others. If no configuration
/// names this library and all name the same other one, that is used with a warning.
/// @throws Error (binary) with the existing ones
const BuildConfiguration& choose_configuration(const std::vector<BuildConfiguration>& all,
                                               std::string_view model_identifier,
                                               std::string_view platform, const Log& log);

/// Whether an option only controls the compilation of a file. Others could write files, load
/// plug-ins or replace tools: compiled sources may do so when they run, the compiler may not.
bool is_harmless_option(std::string_view option);

/// A path from the FMU, made safe to join to a folder of the FMU; "" if it leads out of the folder
/// or could be read as an option.
std::string safe_source_path(std::string_view path);

}  // namespace tutti::fmi
