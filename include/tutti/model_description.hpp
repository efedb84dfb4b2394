// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tutti/export.hpp>
#include <tutti/words.hpp>
#include <vector>

/// The content of modelDescription.xml, in one form for FMI 1.0, 2.0 and 3.0. Pure data, without a
/// loaded FMU. Where the versions differ, the terms are those of 3.0.
namespace tutti {

using ValueReference = std::uint32_t;

enum class FmiVersion : std::uint8_t { v1, v2, v3 };
constexpr WordList<3> list_words(FmiVersion) { return {"1.0", "2.0", "3.0"}; }

enum class Type : std::uint8_t {
  float32,
  float64,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  string,
  binary,
  enumeration,
  clock
};  // 1.0 and 2.0: Real is float64, Integer is int32
constexpr WordList<15> list_words(Type) {
  return {"Float32", "Float64", "Int8",    "UInt8",  "Int16",  "UInt16",      "Int32", "UInt32",
          "Int64",   "UInt64",  "Boolean", "String", "Binary", "Enumeration", "Clock"};
}
inline constexpr std::size_t type_count = 15;
/// Values of any length; all others are numbers.
constexpr bool is_text(Type type) { return type == Type::string || type == Type::binary; }

enum class Causality : std::uint8_t {
  parameter,
  calculated_parameter,
  structural_parameter,
  input,
  output,
  local,
  independent
};
constexpr WordList<7> list_words(Causality) {
  return {"parameter", "calculatedParameter", "structuralParameter", "input", "output",
          "local",     "independent"};
}
enum class Variability : std::uint8_t { constant, fixed, tunable, discrete, continuous };
constexpr WordList<5> list_words(Variability) {
  return {"constant", "fixed", "tunable", "discrete", "continuous"};
}
enum class Initial : std::uint8_t { none, exact, approx, calculated };
constexpr WordList<4> list_words(Initial) { return {"", "exact", "approx", "calculated"}; }
enum class AliasKind : std::uint8_t { none, alias, negated };  ///< FMI 1.0 only
enum class DependencyKind : std::uint8_t { dependent, constant, fixed, tunable, discrete };
constexpr WordList<5> list_words(DependencyKind) {
  return {"dependent", "constant", "fixed", "tunable", "discrete"};
}

struct DisplayUnit {
  std::string name;
  double factor = 1;
  double offset = 0;
  bool inverse = false;
};

/// value in base units = factor * value in this unit + offset
struct Unit {
  std::string name;
  /// Exponents of kg, m, s, A, K, mol, cd, rad; absent if not in the file (always in 1.0).
  struct Base {
    std::int32_t exponents[8]{};
    double factor = 1;
    double offset = 0;
  };
  std::optional<Base> base;
  std::vector<DisplayUnit> display_units;
};

struct EnumerationItem {
  std::string name;
  std::int64_t value = 0;
  std::string description;
};

/// Attributes of a variable and of its declared type. In a Variable, missing attributes are
/// already filled in from its declared type.
struct TypeAttributes {
  std::string quantity;
  std::string unit;
  std::string display_unit;
  bool relative_quantity = false;
  bool unbounded = false;
  std::optional<double> min, max, nominal;  ///< integers beyond 2^53 lose digits here
};

/// An optional value that is mostly absent, and then only needs a pointer.
template <class Value>
class Rare {
 public:
  Rare() = default;
  Rare(const Rare& other) : value_(other ? std::make_unique<Value>(*other) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(Rare other) noexcept {
    value_.swap(other.value_);
    return *this;
  }
  Value& emplace() { return *(value_ = std::make_unique<Value>()); }
  explicit operator bool() const { return value_ != nullptr; }
  bool has_value() const { return value_ != nullptr; }
  Value& operator*() { return *value_; }
  const Value& operator*() const { return *value_; }
  Value* operator->() { return value_.get(); }
  const Value* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<Value> value_;
};

/// Attributes of a clock variable (FMI 3.0).
struct ClockAttributes {
  std::string interval_variability;
  bool can_be_deactivated = false;
  std::optional<std::uint32_t> priority;
  std::optional<double> interval_decimal, shift_decimal;
  bool supports_fraction = false;
  std::optional<std::uint64_t> resolution, interval_counter, shift_counter;
};

struct TypeDefinition {
  std::string name;
  std::string description;
  Type type{};
  TypeAttributes attributes;
  std::vector<EnumerationItem> items;  ///< enumerations
  std::string mime_type;               ///< binary
  std::uint64_t max_size = 0;          ///< binary; 0: not stated
  Rare<ClockAttributes> clock;
};

/// One dimension of an array: a fixed size, or the value of a structural parameter.
struct Dimension {
  std::optional<std::uint64_t> size;
  std::optional<ValueReference> size_variable;
};

struct AliasName {
  std::string name;
  std::string description;
  std::string display_unit;
};

/// A vendor annotation, as in the file.
struct Annotation {
  std::string name;  ///< tool name (1.0, 2.0) or type (3.0)
  std::string xml;
};

struct Variable {
  std::string name;
  std::string description;
  ValueReference value_reference = 0;
  Type type{};
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  Initial initial = Initial::none;  ///< with the defaults of the standard; 1.0: from `fixed`
  AliasKind alias = AliasKind::none;
  bool reinit = false;
  bool can_handle_multiple_set = true;
  bool intermediate_update = false;
  std::int32_t declared_type = -1;  ///< index into ModelDescription::types, -1: none
  std::int32_t derivative_of = -1;  ///< index of the variable whose derivative this is, -1: none
  std::int32_t previous = -1;       ///< index of the previous value's variable (3.0), -1: none
  TypeAttributes attributes;
  /// As written in the file: one entry per array element or one for a scalar; empty: no start.
  std::vector<std::string> start;
  std::vector<Dimension> dimensions;  ///< empty: scalar
  std::vector<AliasName> aliases;     ///< FMI 3.0
  std::vector<ValueReference> clocks;
  std::string mime_type;
  std::uint64_t max_size = 0;
  Rare<ClockAttributes> clock;
  std::vector<Annotation> annotations;
  std::uint32_t line = 0;  ///< in modelDescription.xml, from 1

  bool is_array() const { return !dimensions.empty(); }
};

/// One row of ModelStructure: an unknown and its dependencies.
struct Unknown {
  std::int32_t variable = -1;  ///< index into ModelDescription::variables
  /// Absent: it depends on all knowns. Empty: on none. Indices into variables.
  std::optional<std::vector<std::int32_t>> dependencies;
  std::vector<DependencyKind> kinds;  ///< one per dependency; empty: all `dependent`
};

struct ModelStructure {
  std::vector<Unknown> outputs;
  std::vector<Unknown> derivatives;  ///< of the continuous states
  std::vector<Unknown> discrete_states;
  std::vector<Unknown> initial_unknowns;
  std::vector<Unknown> clocked_states;
  std::vector<Unknown> event_indicators;
};

struct DefaultExperiment {
  std::optional<double> start, stop, tolerance, step;
};

/// The capabilities of one interface (co-simulation, model exchange, scheduled execution).
struct Capabilities {
  std::string model_identifier;
  bool needs_execution_tool = false;
  bool only_once_per_process = false;
  bool can_save_state = false;  ///< canGetAndSetFMUstate
  bool can_serialize_state = false;
  bool provides_directional_derivatives = false;
  bool provides_adjoint_derivatives = false;
  bool per_element_dependencies = false;
  bool no_memory_management = false;  ///< canNotUseMemoryManagementFunctions
  // Co-simulation
  bool can_vary_step = false;  ///< canHandleVariableCommunicationStepSize
  bool can_interpolate_inputs = false;
  unsigned max_output_derivative_order = 0;
  bool can_run_asynchronously = false;
  bool can_redo_step = false;  ///< FMI 1.0 canRejectSteps: newStep = false repeats the last step
  bool can_handle_events = false;  ///< FMI 1.0 canHandleEvents
  bool can_signal_events = false;  ///< FMI 1.0 canSignalEvents
  std::optional<double> fixed_internal_step;
  std::optional<double> recommended_intermediate_input_smoothness;
  bool provides_intermediate_update = false;
  bool might_return_early = false;
  bool can_return_early_after_intermediate_update = false;
  bool has_event_mode = false;
  bool provides_evaluate_discrete_states = false;
  // Model exchange
  bool needs_completed_integrator_step = true;
  // FMI 1.0 tool coupling
  std::string entry_point, mime_type;
  bool manual_start = false;
  std::vector<std::string> source_files;  ///< FMI 2.0 SourceFiles
};

struct TerminalMember {
  std::string variable, kind, name;
};
struct Terminal {
  std::string name, matching_rule, kind, description;
  std::vector<TerminalMember> members;
  std::vector<Terminal> terminals;
};

struct LogCategory {
  std::string name, description;
};

struct TUTTI_API ModelDescription {
  FmiVersion version{};
  std::string version_text;  ///< as written: "2.0", "3.0.1"
  std::string model_name, description, author, model_version, copyright, license;
  std::string generation_tool, generation_date, naming_convention;
  std::string token;  ///< guid (1.0, 2.0) or instantiationToken (3.0)

  std::optional<Capabilities> co_simulation;
  std::optional<Capabilities> model_exchange;
  std::optional<Capabilities> scheduled_execution;

  std::vector<Unit> units;
  std::vector<TypeDefinition> types;
  std::vector<LogCategory> log_categories;
  DefaultExperiment default_experiment;
  std::vector<Variable> variables;  ///< in the order of the file
  ModelStructure structure;
  std::vector<Terminal> terminals;
  std::vector<Annotation> annotations;

  std::size_t event_indicator_count = 0;  ///< 1.0, 2.0; in 3.0 the instance provides it
  /// 1.0: numberOfContinuousStates; 2.0, 3.0: scalars among the listed derivatives (3.0 with
  /// structural parameters: the instance provides it).
  std::size_t continuous_state_count = 0;

  /// The variable with this name, also by an alias name of FMI 3.0; null if there is none.
  const Variable* find(std::string_view name) const;
  /// Index of the first variable with this value reference; -1 if there is none. In 1.0 and 2.0 a
  /// reference is unique per type family only, so use it for 3.0.
  std::int32_t find(ValueReference reference) const;
  const TypeDefinition* type_of(const Variable& variable) const;
  /// Whether any variable is a clock: such FMUs need an importer that activates clocks.
  bool has_clocks() const;

  /// Variables with the name or the value reference of an earlier one.
  struct Duplicates {
    std::vector<std::int32_t> names, references;
  };
  /// Called by the reader when the variables are complete.
  Duplicates build_index();

 private:
  // Hash tables of indices, so that a copy stays valid. Upper half of a slot: part of the name's
  // hash, or the value reference; lower half: index + 1.
  std::vector<std::uint64_t> by_name_, by_reference_;
};

}  // namespace tutti
