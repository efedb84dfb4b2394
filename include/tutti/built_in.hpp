// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <tutti/export.hpp>
#include <tutti/model_description.hpp>
#include <tutti/words.hpp>
#include <utility>
#include <vector>

/// Components without an FMU: sources, sums, formulas, delays.
namespace tutti {

/// Interpolation between the rows of a table.
enum class Interpolation : std::uint8_t { linear, constant };
constexpr WordList<2> list_words(Interpolation) { return {"linear", "constant"}; }

/// The type of the values of a constant.
enum class ConstantType : std::uint8_t { real, integer, boolean, string };
constexpr WordList<4> list_words(ConstantType) { return {"real", "integer", "boolean", "string"}; }

/// A type of component, with the settings that determine its variables. Parameters are set as those
/// of an FMU (Component::set).
struct BuiltIn {
  std::string type;          ///< name of one of built_in_types(); empty: not a built-in component
  std::uint32_t inputs = 2;  ///< sum: number of inputs
  /// expression: name and formula
  std::vector<std::pair<std::string, std::string>> outputs;
  /// expression: name and value
  std::vector<std::pair<std::string, std::string>> parameters;
  std::filesystem::path file;  ///< table: CSV
  Interpolation interpolation = Interpolation::linear;
  ConstantType data_type = ConstantType::real;  ///< constant
  std::string unit;  ///< of the outputs, and of inputs of the same quantity

  bool empty() const { return type.empty(); }
};

struct BuiltInVariable {
  std::string name;
  Causality causality{};
  std::string start, unit;
  std::string description;  ///< one line
};

struct BuiltInType {
  std::string name;
  std::string summary;                ///< one line
  std::string equation;               ///< of the outputs
  std::vector<std::string> settings;  ///< keys of a system file besides `type`
  /// With the default settings; empty: all variables follow from settings.
  std::vector<BuiltInVariable> variables;
};

/// All types, sorted by name.
TUTTI_API std::vector<BuiltInType> built_in_types();

}  // namespace tutti
