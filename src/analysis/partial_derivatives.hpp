// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "fmi/instance.hpp"

namespace tutti::analysis {

/// Calls action(row, column, d unknown / d known) for scalars: a directional derivative for each
/// known, or an adjoint derivative for each unknown if these are fewer.
template <class Action>
void for_partial_derivatives(fmi::FmuInstance& instance,
                             const std::vector<ValueReference>& unknowns,
                             const std::vector<ValueReference>& knowns, const Action& action) {
  if (unknowns.empty() || knowns.empty()) return;
  const Capabilities& can = instance.capabilities();
  const double seed = 1;
  if (can.provides_adjoint_derivatives &&
      (!can.provides_directional_derivatives || unknowns.size() < knowns.size())) {
    std::vector<double> row(knowns.size());
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      instance.adjoint_derivative({&unknowns[i], 1}, knowns, {&seed, 1}, row);
      for (std::size_t j = 0; j < row.size(); ++j) action(i, j, row[j]);
    }
    return;
  }
  std::vector<double> column(unknowns.size());
  for (std::size_t j = 0; j < knowns.size(); ++j) {
    instance.directional_derivative(unknowns, {&knowns[j], 1}, {&seed, 1}, column);
    for (std::size_t i = 0; i < column.size(); ++i) action(i, j, column[i]);
  }
}

}  // namespace tutti::analysis
