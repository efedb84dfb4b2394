// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <vector>

/// Systems in files.
namespace tutti {

/// Reads a system in any format. No FMU is loaded. For formats that name variables by value
/// references, or that do not name the component of a value, the model descriptions are read.
/// @throws Error: file if it cannot be read; usage with all errors in it, each with
/// file:line:column
TUTTI_API System read_system(const std::filesystem::path& file, const FmuOptions& options = {},
                             const Log& log = {});

/// Writes a system so that reading it gives the same system. `format` is the name of one that can
/// be written; empty: the extension of the file decides. What a format cannot represent is reported
/// in the log. @throws Error
TUTTI_API void write_system(const System& system, const std::filesystem::path& file,
                            std::string_view format = {}, const FmuOptions& options = {},
                            const Log& log = {});

/// Makes one assignment, as `--set` does: `component.variable=value` (a parameter or start value),
/// or else `section.key=value`. @throws Error(usage)
TUTTI_API void assign(System& system, std::string_view assignment, const Log& log = {});

/// A value by name: `component.variable`, a variable of a system of one FMU, or `section.key`.
struct NamedValue {
  std::string name;
  std::string value;  ///< as with assign(); elements of an array: "1 2 3"
  Place place = {};
};

/// Reads values from a TOML file with one table, `[set]`: `"tank.a1" = 2.66e-6`.
/// @throws Error: file if it cannot be read; usage with all errors in it, each with
/// file:line:column
TUTTI_API std::vector<NamedValue> read_values(const std::filesystem::path& file);
/// Writes such a file atomically; `comment` gets lines of its own at the beginning. @throws Error
TUTTI_API void write_values(const std::filesystem::path& file, std::span<const NamedValue> values,
                            std::string_view comment = {});
/// Makes all assignments, and checks the names of variables with the descriptions of the FMUs. With
/// errors, the system does not change. @throws Error(usage) with all errors in it, with their
/// places
TUTTI_API void assign(System& system, std::span<const NamedValue> values,
                      const FmuOptions& options = {}, const Log& log = {});

struct SystemFormat {
  std::string name;
  std::string extension;  ///< with the dot
  std::string summary;    ///< one line
  bool is_written = false;
};
TUTTI_API std::vector<SystemFormat> system_formats();
/// By its extension, or else by its first bytes.
TUTTI_API bool is_system_file(const std::filesystem::path& file);

/// Every key of a system file with type, default and meaning.
TUTTI_API std::string system_keys_text();
TUTTI_API std::string system_keys_markdown();

}  // namespace tutti
