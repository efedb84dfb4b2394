// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/value_set.hpp"

namespace tutti::models {

/// `name = value` as the user wrote it: a scalar, a whole array ("1 2 3") or one element ("y[2]").
struct Assignment {
  std::string name;
  std::string value;
};

/// The elements of an array as a user writes it: "1 2 3", "[1, 2, 3]".
std::vector<std::string_view> split_elements(std::string_view text);
/// @throws Error(usage) if a number is outside the range that its variable declares
void check_range(const Variable& variable, const Scalar& scalar, const ValueSet& values);

/// The variable of `y`, `y[2]`. @throws Error(usage) if there is none
const Variable& find_start(const ModelDescription& description, std::string_view name);
/// @throws Error(usage) if the variable, or the element, has no start value that a user may change
void check_start(const ModelDescription& description, std::string_view name);

/// The values that the user sets before the run, checked against the description and sorted by the
/// mode in which the standard allows to set them.
class StartValues {
 public:
  StartValues() = default;
  /// @throws Error(usage) that names the variable, the value and what is allowed
  StartValues(const ModelDescription& description, const std::vector<Assignment>& assignments);

  /// Sizes that follow from the structural parameters set here.
  const StructuralValues& structure() const;

  /// @pre the instance is instantiated. Enters configuration mode where needed.
  void apply_before_initialization(fmi::FmuInstance& instance) const;
  /// @pre the instance is in initialization mode: inputs.
  void apply_in_initialization(fmi::FmuInstance& instance) const;
  /// Both together, for models without such modes and without structural parameters.
  void apply_to(VariableAccess& model) const;
  /// Initializes `inputs` with the values set here, or else of the description: if only some
  /// elements of an array are driven, the others are set with them.
  void copy_inputs_to(ValueSet& inputs, const ModelDescription& description) const;

 private:
  struct Sets {
    StructuralValues structure;
    ValueSet structural, others, inputs;
  };
  std::shared_ptr<Sets> sets_;  ///< shared by instances with the same values; null: nothing is set
};

}  // namespace tutti::models
