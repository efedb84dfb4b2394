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

/// What a table does between its rows.
enum class Interpolation : std::uint8_t { linear, constant };
constexpr WordList<2> list_words(Interpolation) { return {"linear", "constant"}; }

/// Of what type the values of a constant are.
enum class ConstantType : std::uint8_t { real, integer, boolean, string };
constexpr WordList<4> list_words(ConstantType) { return {"real", "integer", "boolean", "string"}; }

/// A type of component, and what decides which variables it has. Values of parameters are set as
/// those of an FMU are (Component::set).
struct BuiltIn {
  std::string type;          ///< name of one of built_in_types(); empty: the component is none
  std::uint32_t inputs = 2;  ///< sum: so many
  /// expression: name and formula
  std::vector<std::pair<std::string, std::string>> outputs;
  /// expression: name and value
  std::vector<std::pair<std::string, std::string>> parameters;
  std::filesystem::path file;  ///< table: CSV
  Interpolation interpolation = Interpolation::linear;
  ConstantType data_type = ConstantType::real;  ///< constant
  std::string unit;  ///< of the outputs; where inputs are of the same quantity, of them too

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
  std::string equation;               ///< what the outputs are
  std::vector<std::string> settings;  ///< keys of a system file besides `type`
  /// With the default settings; empty: all of them follow from settings.
  std::vector<BuiltInVariable> variables;
};

/// All types, sorted by name.
TUTTI_API std::vector<BuiltInType> built_in_types();

}  // namespace tutti
