// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <tutti/model_description.hpp>
#include <vector>

#include "fmi/archive.hpp"
#include "fmi/check/findings.hpp"
#include "fmi/description/xml.hpp"
#include "fmi/elf.hpp"

namespace tutti::fmi {

inline constexpr std::string_view description_file = "modelDescription.xml";

/// One entry of <ModelStructure>, as written in the file.
struct StructureRow {
  enum class List { outputs, derivatives, discrete_states, clocked_states, initial, indicators };
  List list{};
  pugi::xml_node element;
  std::int32_t variable = -1;              ///< index; -1: no variable
  std::vector<std::int32_t> dependencies;  ///< indices, -1: none
};

/// A shared library of the FMU, at the place where an importer looks for it.
struct LibraryFile {
  std::string path, platform;
  std::string model_identifier;
  ElfLibrary elf;    ///< where it is one
  std::string head;  ///< the first bytes
};

/// The input of the rules: the archive, the description as data and as XML.
struct Subject {
  /// Reads the FMU; violations that the reader notices become findings.
  /// @throws Error if it cannot be read at all
  Subject(const std::filesystem::path& fmu, const FmuOptions& options, Findings& findings);

  Archive archive;
  std::filesystem::path path;
  std::string bytes;  ///< of modelDescription.xml
  std::unique_ptr<XmlDocument> xml;
  FmiVersion version{};
  bool readable = true;          ///< false: the reader stopped; only `raw` rules can be checked
  ModelDescription description;  ///< empty if not readable
  std::vector<pugi::xml_node> elements;  ///< of the variables
  std::vector<StructureRow> structure;
  /// Per variable: 1 + the number of the continuous state, by the listed derivatives; 0: not a
  /// state.
  std::vector<std::uint32_t> state_of;
  std::vector<LibraryFile> libraries;

  /// Calls `use` with each row of a list that names a variable, and with the index of the row.
  template <class Use>
  void for_each_row(StructureRow::List list, const Use& use) const {
    for (const StructureRow& row : structure)
      if (row.list == list && row.variable >= 0) use(row, static_cast<std::size_t>(row.variable));
  }
  bool is_state(std::size_t variable) const { return state_of[variable] != 0; }
  /// The interfaces, with the names of their elements in FMI 2.0 and 3.0.
  std::vector<std::pair<std::string_view, const Capabilities*>> interfaces() const;
  /// The attribute of a variable's element, or in 1.0 and 2.0 of its type element (<Real>).
  pugi::xml_attribute attribute(std::size_t variable, const char* name) const;
  std::uint32_t line(pugi::xml_node element) const { return xml->line(element.name()); }

 private:
  void read(const FmuOptions& options, Findings& findings);
  void find_elements();
  void find_structure();
  void find_states();
  void find_libraries();
};

/// Equal for variables of FMI 1.0 and 2.0 that have one value: reals, integers with enumerations,
/// booleans and strings have value references of their own.
inline std::uint64_t value_key(const Variable& variable) {
  const Type type = variable.type == Type::enumeration ? Type::int32 : variable.type;
  return static_cast<std::uint64_t>(type) << 32 | variable.value_reference;
}

/// Platforms of the standard: the folder below binaries/, and the suffix of the library's file.
/// Empty: a folder that the standard does not name.
std::string_view library_suffix(FmiVersion version, std::string_view platform);

}  // namespace tutti::fmi
