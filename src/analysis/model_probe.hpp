// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>

#include "analysis/linearization.hpp"

namespace tutti::analysis {

/// Central differences err by a second power of the increment and by rounding over it: the cube
/// root of the precision balances them. A number that an FMU keeps as float has 7 digits.
inline constexpr double increment_of_doubles = 6e-6, increment_of_floats = 5e-3;

/// The functions of an instance that differentiation needs, for any interface.
class ModelProbe {
 public:
  ModelProbe(const ModelDescription& description, const LinearizationTask& task)
      : description_(description), task_(task), inputs_(task.inputs) {
    std::vector<std::int32_t> variables;
    for (const auto& scalar : task.y) variables.push_back(scalar.variable);
    std::ranges::sort(variables);
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    outputs_ = models::ValueSet(description, variables, task.start->structure());
  }

  void begin(fmi::FmuInstance& instance) {
    task_.start->apply_before_initialization(instance);
    instance.enter_initialization(task_.experiment);
    task_.start->apply_in_initialization(instance);
    inputs_.set_to(instance);
  }
  /// Inputs may change outside of initialization only where they are continuous.
  void set_inputs(fmi::FmuInstance& instance, bool all) {
    if (all || !inputs_.is_plain())
      inputs_.set_to(instance);
    else
      inputs_.set_continuous_to(instance);
  }
  std::vector<double> read(fmi::FmuInstance& instance) {
    outputs_.get_from(instance);
    std::vector<double> y;
    for (const auto& scalar : task_.y) y.push_back(outputs_.read(find(outputs_, scalar)).real);
    return y;
  }
  double value(std::size_t input) const { return inputs_.read(find(inputs_, task_.u[input])).real; }
  void write(std::size_t input, double value) {
    inputs_.write_real(find(inputs_, task_.u[input]), value);
  }
  double size(std::size_t input) const {
    const double nominal = std::abs(variable(task_.u[input]).attributes.nominal.value_or(1));
    return std::max(std::abs(value(input)), nominal > 0 ? nominal : 1);
  }
  double increment(std::size_t input) const {
    const bool is_float = variable(task_.u[input]).type == Type::float32;
    return size(input) * (is_float ? increment_of_floats : increment_of_doubles);
  }

  /// Directional derivatives are used for scalars only.
  bool has_references() const {
    const auto is_scalar = [&](const auto& s) {
      return variable(s).type == Type::float64 && !variable(s).is_array() &&
             variable(s).alias != AliasKind::negated;
    };
    return std::ranges::all_of(task_.u, is_scalar) && std::ranges::all_of(task_.y, is_scalar);
  }
  std::vector<ValueReference> references(const std::vector<LinearizationTask::Scalar>& all) const {
    std::vector<ValueReference> result;
    for (const auto& scalar : all) result.push_back(variable(scalar).value_reference);
    return result;
  }
  const Variable& variable(const LinearizationTask::Scalar& scalar) const {
    return description_.variables[static_cast<std::size_t>(scalar.variable)];
  }

 private:
  static const models::Scalar& find(const models::ValueSet& set,
                                    const LinearizationTask::Scalar& wanted) {
    const auto scalars = set.scalars();
    return *std::ranges::find_if(scalars, [&](const models::Scalar& s) {
      return s.variable == wanted.variable && s.element == wanted.element;
    });
  }

  const ModelDescription& description_;
  const LinearizationTask& task_;
  models::ValueSet inputs_, outputs_;
};

/// According to the description, the output does not depend directly on the input.
inline bool is_excluded(const ModelDescription& description, std::int32_t output,
                        std::int32_t input) {
  for (const Unknown& row : description.structure.outputs)
    if (row.variable == output && row.dependencies)
      return std::find(row.dependencies->begin(), row.dependencies->end(), input) ==
             row.dependencies->end();
  return false;
}

}  // namespace tutti::analysis
