// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/system.hpp>
#include <tutti/value.hpp>
#include <vector>

#include "master/change.hpp"
#include "models/instance.hpp"
#include "models/start_values.hpp"
#include "session/prepared_system.hpp"
#include "system/endpoint.hpp"

/// Variables and values in terms of the user of a session.
namespace tutti::session {

/// A variable that was found by its name.
struct FoundVariable {
  std::uint32_t component = 0;
  system::Selection selection;
  std::vector<std::uint64_t> array_shape;  ///< of the whole variable
  VariableInfo info;
  bool is_driven = false;   ///< a connection or a table drives it
  bool is_delayed = false;  ///< a line or a delayed signal drives it after the start
  // Once the FMUs are loaded, if its value is read after each step:
  const models::ValueSet* value_set = nullptr;
  bool is_input = false;  ///< of the values read after each step
  std::vector<const models::Scalar*> scalars;
  const double* number = nullptr;  ///< of a scalar in double precision

  /// The FMUs have been freed.
  void forget_place() {
    value_set = nullptr;
    scalars.clear();
    number = nullptr;
  }
};

/// Finds a variable by the user's name for it. @throws Error(usage)
FoundVariable find_variable(const PreparedSystem& prepared, std::string_view name);
/// The same of a component.
FoundVariable find_variable(const System& system, const system::Plan& plan, std::uint32_t component,
                            const std::string& name, const ModelDescription& description,
                            const fmi::StructuralValues& structure);

/// Searches its value among the inputs and outputs of the instance.
void locate(FoundVariable& variable, const models::Instance& instance);

/// The value of these scalars. @pre they belong to the variable
Value value_of(const VariableInfo& info, const models::ValueSet& values,
               std::span<const models::Scalar* const> scalars);
/// The same of given cells; texts as in Row.
Value value_of(const VariableInfo& info, std::span<const Cell> cells,
               std::span<const std::string> texts);
/// 1: it is a scalar.
std::size_t element_count(const VariableInfo& info);
/// The scalars of the found variable in a set of it.
std::vector<const models::Scalar*> scalars_of(const FoundVariable& variable,
                                              const models::ValueSet& values);

/// Writes a value into a set of its variable; a single value applies to all elements.
/// @throws Error(usage) if it is of another type, or does not fit
void write_value(const FoundVariable& variable, const Value& value,
                 const ModelDescription& description, models::ValueSet& values);
/// The same as start values.
std::vector<models::Assignment> assignments_of(const FoundVariable& variable, const Value& value);

/// @throws Error(usage) with the rule, if FMI forbids setting it during the run. `instead`: how to
/// set a parameter that is not tunable
void check_settable(const FoundVariable& variable, const ModelDescription& description,
                    std::string_view instead = "Set it before initialize().");

/// Parses a value as a user writes it: a scalar, a whole array ("1 2 3"), or one for all elements.
/// @throws Error(usage) if it does not fit
master::Change change_of(const FoundVariable& variable, std::string_view text,
                         const ModelDescription& description,
                         const fmi::StructuralValues& structure);

}  // namespace tutti::session
