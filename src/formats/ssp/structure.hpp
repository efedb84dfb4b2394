// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>
#include <utility>
#include <vector>

#include "formats/registry.hpp"

/// The content of a system structure description (SSP 1.0, section 5), as a tree.

namespace tutti::formats::ssp {

/// The transformation of a value by a connection or mapping (section 4.5.2).
struct Transformation {
  double factor = 1, offset = 0;
  std::vector<std::pair<std::string, std::string>> map;
  bool convert_units = true;

  bool is_linear() const { return factor != 1 || offset != 0; }
  /// This one first, then the other. @throws Error(usage) for a map and a factor
  Transformation then(const Transformation& next) const;
  /// Of a value as written: a number, several numbers, or an entry of the map.
  std::string of(const std::string& value) const;
};

struct Connector {
  enum class Kind : std::uint8_t { input, output, inout, parameter, calculated_parameter };
  std::string name;
  Kind kind{};
};

struct SspConnection {
  std::string start_element, start_connector, end_element, end_connector;  ///< element "": own
  Transformation transformation;
  Place place;
};

/// One value of a parameter set (section 6.2).
struct ParameterValue {
  std::string name, value, unit;
};

/// One entry of a parameter mapping (section 7.1.1).
struct MappingEntry {
  std::string source, target;
  Transformation transformation;
};

/// A parameter set applied to an element (section 5.2.3).
struct Binding {
  std::string prefix;
  std::vector<ParameterValue> values;
  std::vector<Unit> units;
  std::optional<std::vector<MappingEntry>> mapping;
  Place place;
};

/// A built-in component in SSP: its type in place of that of an FMU, its source if it has no file,
/// and the annotation with its settings.
inline constexpr std::string_view built_in_type = "application/x-tutti-component";
inline constexpr const char* built_in_source = "urn:org.tutti.component:";
inline constexpr std::string_view built_in_annotation = "org.tutti.component";

struct Element {
  enum class Kind : std::uint8_t { component, system, dictionary, table };
  Kind kind{};
  std::string name;
  std::vector<Connector> connectors;
  std::vector<Binding> bindings;
  Place place;
  // component, or table of inputs
  std::filesystem::path fmu;     ///< or the table
  bool fmu_is_absolute = false;  ///< in the file, or because it is in a package
  FmuKind as = FmuKind::automatic;
  BuiltIn built_in;  ///< instead of the FMU
  // system
  std::vector<Element> elements;
  std::vector<SspConnection> connections;
  std::vector<std::string> dictionaries;
  // reference to a signal dictionary: its name
  std::string dictionary;

  const Connector* find_connector(std::string_view connector) const;
};

/// A whole file.
struct Structure {
  std::string name;
  Element system;
  std::optional<double> start, stop, step;
  std::string settings;  ///< of our annotation
  Place settings_place;
};

/// Flattens the tree: components of nested systems have names with dots, and connections through
/// connectors of systems become connections between components. Parameters are applied to the
/// variables of the FMUs.
/// @param folder of the file, from which the system sees its FMUs
/// @throws Error(usage) with all errors
System flatten(const Structure& structure, const std::filesystem::path& folder,
               const Surroundings& surroundings);

}  // namespace tutti::formats::ssp
