// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fmukit {

enum class Type : std::uint8_t {
  float64,
  float32,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  boolean,
  string,
  binary,
  enumeration,
};
enum class Causality : std::uint8_t {
  parameter,
  calculated_parameter,
  structural_parameter,
  input,
  output,
  local,
  independent,
};
enum class Variability : std::uint8_t { constant, fixed, tunable, discrete, continuous };
enum class Initial : std::uint8_t { exact, approx, calculated };
/// The storage of the elements in the object: one value, a std::array, or a std::vector.
enum class Storage : std::uint8_t { scalar, array, vector };
enum class DependencyKind : std::uint8_t { dependent, constant, fixed, tunable, discrete };

/// A member of this type becomes a binary variable (FMI 3 only).
struct Binary {
  std::vector<std::uint8_t> bytes;
};

/// One known that an unknown depends on; a name without a kind means an arbitrary dependency.
struct Dependency {
  Dependency(const char* known) : name(known) {}             // NOLINT(*-explicit-*)
  Dependency(std::string known) : name(std::move(known)) {}  // NOLINT(*-explicit-*)
  Dependency(std::string known, DependencyKind how) : name(std::move(known)), kind(how) {}
  std::string name;
  DependencyKind kind = DependencyKind::dependent;
};

/// One dimension of an array: a number, or the name of a structural parameter.
struct Dimension {
  Dimension(std::size_t n) : size(n) {}                        // NOLINT(*-explicit-*)
  Dimension(const char* name) : parameter(name) {}             // NOLINT(*-explicit-*)
  Dimension(std::string name) : parameter(std::move(name)) {}  // NOLINT(*-explicit-*)
  std::size_t size = 0;  ///< at the start values; filled in for parameters too
  std::string parameter;
};

/// The description of one variable. Written through Variable, read by the kit.
struct VariableInfo {
  std::string name, text, unit, display_unit, quantity, derivative_of, mime_type;
  Type type = Type::float64;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  std::optional<Initial> initial;
  Storage storage = Storage::scalar;
  std::ptrdiff_t offset = 0;          ///< of the member, from the Model inside the object
  std::size_t bytes = 0;              ///< size of the member
  std::size_t count = 1;              ///< elements at the start values
  std::vector<Dimension> shape;       ///< empty for a scalar
  const void* enumeration = nullptr;  ///< which C++ enumeration, see EnumerationInfo
  std::optional<double> min, max, nominal;
  std::optional<std::vector<Dependency>> dependencies, initial_dependencies;
  bool reinit = false, event_indicator = false, relative = false;
  bool state = false;           ///< some variable is its derivative
  std::size_t state_index = 0;  ///< of a derivative: number of its state
};

/// Further attributes of a declared variable; every function returns the same object, so that calls
/// can be chained.
class Variable {
 public:
  explicit Variable(VariableInfo& info) : info_(&info) {}

  Variable& text(std::string s) { return set(info_->text, std::move(s)); }
  /// For float types: one of the known SI units or one declared with Description::unit.
  Variable& unit(std::string s) { return set(info_->unit, std::move(s)); }
  Variable& display_unit(std::string s) { return set(info_->display_unit, std::move(s)); }
  Variable& quantity(std::string s) { return set(info_->quantity, std::move(s)); }
  /// The value is a difference: unit conversion omits offsets.
  Variable& relative() { return set(info_->relative, true); }
  Variable& min(double v) { return set(info_->min, v); }
  Variable& max(double v) { return set(info_->max, v); }
  Variable& nominal(double v) { return set(info_->nominal, v); }
  Variable& mime_type(std::string s) { return set(info_->mime_type, std::move(s)); }

  Variable& tunable() { return set(info_->variability, Variability::tunable); }
  Variable& discrete() { return set(info_->variability, Variability::discrete); }
  Variable& continuous() { return set(info_->variability, Variability::continuous); }
  /// The start value is exact (default of states and discrete-time memory that is not calculated).
  Variable& exact() { return set(info_->initial, Initial::exact); }
  /// The start value is a guess.
  Variable& approx() { return set(info_->initial, Initial::approx); }
  /// initialize() or the equations determine the value (default of outputs and locals).
  Variable& calculated() { return set(info_->initial, Initial::calculated); }

  /// Makes the named variable a continuous state and this one its derivative.
  Variable& derivative_of(std::string state) { return set(info_->derivative_of, std::move(state)); }
  /// A state that events reinitialize.
  Variable& reinit() { return set(info_->reinit, true); }
  /// An event happens where this variable changes between z > 0 and z <= 0.
  Variable& event_indicator() { return set(info_->event_indicator, true); }
  /// All inputs, states, parameters (and "time") that the value depends on directly. Without a
  /// call: unknown, so all of them.
  Variable& depends_on(std::initializer_list<Dependency> knowns) {
    return depends_on(std::vector<Dependency>(knowns));
  }
  Variable& depends_on(std::vector<Dependency> knowns) {
    return set(info_->dependencies, std::move(knowns));
  }
  /// The same during initialization, where exact start values are the knowns.
  Variable& initially_depends_on(std::initializer_list<Dependency> knowns) {
    return set(info_->initial_dependencies, std::vector<Dependency>(knowns));
  }
  /// The dimensions of a std::vector, row-major; names are structural parameters.
  Variable& size(std::initializer_list<Dimension> dimensions) {
    return set(info_->shape, dimensions);
  }

 private:
  template <class Field, class Value>
  Variable& set(Field& field, Value&& value) {
    field = std::forward<Value>(value);
    return *this;
  }
  VariableInfo* info_;
};

}  // namespace fmukit
