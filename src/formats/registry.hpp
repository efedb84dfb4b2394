// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>

#include "base/explanation.hpp"
#include "formats/toml/keys.hpp"

namespace tutti::formats {

/// Arguments of readers and writers besides the file.
struct Surroundings {
  const Words& words;
  FmuOptions open = {};  ///< limits for archives, for formats that read FMUs
  Log log = {};          ///< gets notes and warnings about the file
};

/// A row of the table of system formats.
struct Format {
  std::string_view name;       ///< for --to and messages
  std::string_view extension;  ///< with the dot
  std::string_view summary;    ///< one line
  /// Whether the start of a file with another extension is that of this format; null: only the
  /// extension counts.
  bool (*recognizes)(std::string_view begin);
  /// @throws Error
  System (*read)(const std::filesystem::path& file, const Surroundings& surroundings);
  /// Null: it is only read. @throws Error
  void (*write)(const System& system, const std::filesystem::path& file,
                const Surroundings& surroundings);
  Explanation about = {};
  /// Not empty: files of this name are of this format, and so are folders with such a file; others
  /// with the extension only if recognizes() returns true.
  std::string_view root_file = {};
};
std::span<const Format> formats();  ///< sorted by name

/// The format by the extension of the file, or else by its first bytes, or by the file that a
/// folder contains; null for other formats.
const Format* find_format(const std::filesystem::path& file);

/// A system from a file of any format. `folder` and, without a name in the file, `name` are those
/// of the file. @throws Error: file if it cannot be read, usage for errors in it
System read_system(const std::filesystem::path& file, const Surroundings& surroundings);

/// Writes a system, so that reading it gives the same. `format` is a name of the table; empty: the
/// extension decides. @throws Error
void write_system(const System& system, const std::filesystem::path& file, std::string_view format,
                  const Surroundings& surroundings);

// Systems in formats of other tools. All of these throw Error.
using ReadSystem = System(const std::filesystem::path& file, const Surroundings& surroundings);
using WriteSystem = void(const System& system, const std::filesystem::path& file,
                         const Surroundings& surroundings);

/// A configuration file of the EAS master. The model descriptions of its FMUs are read, because the
/// file may name variables by value references.
namespace eas {
ReadSystem read;
}

/// A project file of MASTERSIM (A. Nicolai: MASTERSIM – Masteralgorithmen für die FMI
/// Co-Simulation).
namespace msim {
ReadSystem read;
}

/// A system of the Open Simulation Platform, as libcosim reads it. The model descriptions of its
/// FMUs are read, because their causalities determine the direction of connections.
namespace osp {
inline constexpr std::string_view file_name = "OspSystemStructure.xml";
ReadSystem read;
}  // namespace osp

/// System Structure and Parameterization (SSP 1.0; the common part of 2.0).
namespace ssp {

/// A description (.ssd) beside the files that it refers to.
ReadSystem read_ssd;
/// A package (.ssp), unpacked into a temporary folder that is removed with the system.
ReadSystem read_ssp;

/// A description (.ssd) that refers to the FMUs where they are, or a package (.ssp) that contains
/// them. Settings that SSP cannot represent are in an annotation.
WriteSystem write_ssd, write_ssp;

/// The folder of an unpacked package.
bool is_unpacked(const std::filesystem::path& folder);
/// The description to read in this folder: the requested one, or SystemStructure.ssd, with a
/// warning if there are others. @param shown the package in messages
std::string chosen_description(const std::filesystem::path& folder, const std::string& shown,
                               const Surroundings& surroundings);

}  // namespace ssp

}  // namespace tutti::formats
