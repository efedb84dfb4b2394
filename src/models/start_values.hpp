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

/// What the user sets before time starts, checked against the description and sorted by the moment
/// at which the standard allows it to be set.
class StartValues {
 public:
  StartValues() = default;
  /// @throws Error(usage) that names the variable, the value and what is allowed
  StartValues(const ModelDescription& description, const std::vector<Assignment>& assignments);

  /// Sizes that follow from the structural parameters set here.
  const StructuralValues& structure() const;

  /// @pre the instance is instantiated. Goes through configuration mode where that is needed.
  void apply_before_initialization(fmi::FmuInstance& instance) const;
  /// @pre the instance is in initialization mode: inputs.
  void apply_in_initialization(fmi::FmuInstance& instance) const;
  /// Both at once, for models without such modes and without structural parameters.
  void apply_to(VariableAccess& model) const;
  /// Starts `inputs` from the values set here, or else of the description: of an array, perhaps
  /// only some elements are driven, and the others are set with them.
  void copy_inputs_to(ValueSet& inputs, const ModelDescription& description) const;

 private:
  struct Sets {
    StructuralValues structure;
    ValueSet structural, others, inputs;
  };
  std::shared_ptr<Sets> sets_;  ///< the copies of all who set the same; null: nothing is set
};

}  // namespace tutti::models
