// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tutti/fmu.hpp>
#include <tutti/log.hpp>
#include <tutti/system.hpp>
#include <tutti/words.hpp>
#include <vector>

/// The content of a system of the Open Simulation Platform (OSP): OspSystemStructure.xml, as
/// data/xsd/OspSystemStructure.xsd of libcosim defines it, and the groups of variables of an
/// OspModelDescription.xml.
namespace tutti::formats::osp {

/// Types of FMI 1.0 and 2.0, by the elements of initial values.
enum class ValueType : std::uint8_t { real, integer, boolean, string };
constexpr WordList<4> list_words(ValueType) { return {"Real", "Integer", "Boolean", "String"}; }

struct InitialValue {
  std::string variable;
  ValueType type{};
  std::string value;
  Place place;
};

struct Simulator {
  std::string name, source;
  std::optional<double> step;
  std::vector<InitialValue> values;
  Place place;
};

struct Function {
  enum class Kind : std::uint8_t { linear_transformation, sum, vector_sum };
  std::string name;
  Kind kind{};
  double factor = 1, offset = 0;
  std::uint32_t inputs = 1, dimension = 1;
  Place place;
};
constexpr WordList<3> list_words(Function::Kind) {
  return {"LinearTransformation", "Sum", "VectorSum"};
}

/// One end of a connection: a variable or group of a simulator, or a signal or group of a function.
struct End {
  bool is_signal = false;
  std::string owner, name;
  Place place;
};

struct OspConnection {
  End a, b;
  bool is_group = false;
  bool is_bond = false;  ///< a part of a power bond
  Place place;
};

/// Settings that the step control of the ecco algorithm shares with others.
struct EccoSettings {
  double safety = 0, step = 0, min = 0, max = 0, shrink = 0, grow = 0;
  Place place;
};

enum class Algorithm : std::uint8_t { fixed_step, ecco };
constexpr WordList<2> list_words(Algorithm) { return {"fixedStep", "ecco"}; }

struct Structure {
  double start = 0;
  std::optional<double> stop;
  double step = 0.1;  ///< libcosim's default
  Algorithm algorithm = Algorithm::fixed_step;
  std::optional<EccoSettings> ecco;
  std::vector<Simulator> simulators;
  std::vector<Function> functions;
  std::vector<OspConnection> connections;
};

/// A group of variables, and the groups inside it, all in the order of the file.
struct VariableGroup {
  std::string name;
  std::vector<std::string> variables;
  std::vector<VariableGroup> groups;
};

/// @param name of the file in messages
/// @throws Error(usage) with all errors in the file
Structure parse(std::string text, const std::string& name, const ArchiveLimits& limits,
                const Log& log);
std::vector<VariableGroup> parse_groups(std::string text, const std::string& name,
                                        const ArchiveLimits& limits);

/// Whether the start of a file is that of an OspSystemStructure.xml.
bool recognizes(std::string_view begin);

}  // namespace tutti::formats::osp
