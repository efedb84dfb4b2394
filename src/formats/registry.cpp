// SPDX-License-Identifier: BSD-2-Clause
#include "formats/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <tutti/error.hpp>

#include "base/file_error.hpp"
#include "base/text.hpp"
#include "formats/eas/parse.hpp"
#include "formats/files.hpp"
#include "formats/osp/structure.hpp"
#include "formats/toml/read.hpp"
#include "formats/toml/write.hpp"
#include "system/component_kind.hpp"

namespace tutti::formats {
namespace fs = std::filesystem;
namespace {

System read_toml_file(const fs::path& file, const Surroundings& surroundings) {
  return read_toml(file_content(file), file.string(), surroundings.words, surroundings.log);
}

void write_toml_file(const System& system, const fs::path& file, const Surroundings&) {
  write_file(file, toml_text(moved_to(system, file.parent_path())));
}

// clang-format off
constexpr Format format_table[] = {
    {"eas", ".eas", "configuration of the EAS master, under any extension: docs/formats.md",
     eas::recognizes, eas::read, nullptr,
     {"Recognized by its content, under any extension. Tutti reproduces its step control and rules. tutti convert writes it as TOML.", "docs/formats.md"}},
    {"msim", ".msim", "project of MASTERSIM: docs/formats.md", nullptr, msim::read, nullptr,
     {"FMUs, connections, parameters and the settings of the run are kept, with MASTERSIM's rules of step control. tutti convert writes it as TOML.", "docs/formats.md"}},
    {"osp", ".xml", "OspSystemStructure.xml, or its folder: docs/formats.md", osp::recognizes,
     osp::read, nullptr,
     {"A system of the Open Simulation Platform, as libcosim runs it: the fixed steps and functions of the file are kept, and differences are reported. tutti convert writes it as TOML.", "docs/formats.md"},
     osp::file_name},
    {"ssd", ".ssd", "SSP 1.0, a description beside its FMUs: docs/formats.md", nullptr,
     ssp::read_ssd, ssp::write_ssd,
     {"The FMUs are named relative to the description. Start values, units, transformations and parameter files (.ssv, .ssm) are supported. Settings that SSP cannot represent are in an annotation.", "docs/formats.md"}},
    {"ssp", ".ssp", "SSP 1.0, a package with its FMUs: docs/formats.md", nullptr, ssp::read_ssp,
     ssp::write_ssp,
     {"A zip archive that other tools read, too: tutti convert system.toml system.ssp writes one. --structure selects one of several descriptions in a package.", "docs/formats.md"}},
    {"toml", ".toml", "Tutti's own: docs/system-file.md", nullptr, read_toml_file, write_toml_file,
     {"Components, connections, inputs, settings of the run and results, in keys that tutti explain describes. The only format for all settings.", "docs/system-file.md"}},
};
// clang-format on

/// The first bytes of a file; empty if it cannot be read.
std::string begin_of(const fs::path& file) {
  constexpr std::size_t enough = 4096;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return {};
  std::string begin(enough, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(begin.data(), enough);
  begin.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
  return begin;
}

std::string listed(std::string_view Format::*what, bool written_only) {
  std::string all;
  for (const Format& f : format_table)
    if (!written_only || f.write != nullptr)
      all += fmt::format("{}{}", all.empty() ? "" : ", ", f.*what);
  return all;
}

/// Of a system that is a folder.
const Format* format_of_folder(const fs::path& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) return nullptr;
  if (ssp::is_unpacked(folder)) return std::ranges::find(format_table, ".ssd", &Format::extension);
  const auto* const found =
      std::find_if(std::begin(format_table), std::end(format_table), [&](const Format& f) {
        return !f.root_file.empty() && fs::is_regular_file(folder / f.root_file, failed);
      });
  return found == std::end(format_table) ? nullptr : found;
}

const Format& format_to_write(const fs::path& file, std::string_view name) {
  const std::string extension = file.extension().string();
  const auto* const found = std::find_if(
      std::begin(format_table), std::end(format_table),
      [&](const Format& f) { return name.empty() ? f.extension == extension : f.name == name; });
  if (found != std::end(format_table) && found->write != nullptr) return *found;
  const std::string_view known = "a system can be written as";
  if (!name.empty())
    throw Error(ErrorCode::usage,
                fmt::format("the format \"{}\" is {}; {} {}", printable(name),
                            found != std::end(format_table) ? "only read" : "unknown", known,
                            listed(&Format::name, true)));
  throw file_error(file, ErrorCode::usage,
                   fmt::format("the extension of \"{}\" does not determine a format; {} {}, or "
                               "name the format with %key%",
                               file.string(), known, listed(&Format::extension, true)),
                   {.key = "to"});
}

}  // namespace

std::span<const Format> formats() { return format_table; }

const Format* find_format(const fs::path& file) {
  if (const Format* const format = format_of_folder(file)) return format;
  const std::string extension = file.extension().string();
  const auto* found = std::ranges::find(format_table, extension, &Format::extension);
  if (found != std::end(format_table) && found->root_file.empty()) return found;
  if (extension == ".fmu") return nullptr;
  const std::string begin = begin_of(file);
  found = std::find_if(std::begin(format_table), std::end(format_table), [&](const Format& f) {
    return (!f.root_file.empty() && file.filename() == f.root_file) ||
           (f.recognizes != nullptr && f.recognizes(begin));
  });
  return found == std::end(format_table) ? nullptr : found;
}

System read_system(const fs::path& given, const Surroundings& surroundings) {
  const Format* format = find_format(given);
  const bool is_folder = ssp::is_unpacked(given);
  if (!surroundings.open.structure.empty() && !is_folder && given.extension() != ".ssp")
    throw file_error(given, ErrorCode::usage,
                     fmt::format("%key% selects a description of a package: "
                                 "\"{}\" is not a package (.ssp, or its unpacked folder)",
                                 given.string()),
                     {.key = "structure"});
  fs::path file = given;
  if (is_folder)
    file /= ssp::chosen_description(given, given.string(), surroundings);
  else if (format != nullptr && fs::is_directory(given))
    file /= format->root_file;
  if (std::error_code none; format == nullptr && !fs::exists(file, none))
    throw file_error(file, ErrorCode::file, fmt::format("there is no file \"{}\"", file.string()));
  if (format == nullptr)
    throw file_error(file, ErrorCode::file,
                     fmt::format("\"{}\" is not a supported system file; expected one of: {}",
                                 file.string(), listed(&Format::extension, false)));
  System system = format->read(file, surroundings);
  system.folder = file.parent_path();
  if (system.name.empty()) system.name = file.stem().string();
  return system;
}

void write_system(const System& system, const fs::path& file, std::string_view format,
                  const Surroundings& surroundings) {
  if (const Component* const object = system::find_object(system))
    throw file_error(file, ErrorCode::usage,
                     fmt::format("component \"{}\" is a {}, which system files cannot contain",
                                 object->name, system::kind_of(*object).name),
                     {.component = object->name});
  format_to_write(file, format).write(system, file, surroundings);
}

}  // namespace tutti::formats
