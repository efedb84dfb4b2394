// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/linearize.hpp>
#include <vector>

#include "analysis/linear_model/elimination.hpp"
#include "session/prepared_system.hpp"

namespace tutti::session {

/// The real continuous inputs and outputs of the components that a linear model needs: those that
/// are connected, and those that the user asks for.
struct LinearInterface {
  std::vector<std::vector<models::RealElement>> inputs, outputs;  ///< by component
  std::vector<std::size_t> first_input, first_output;             ///< by component
  std::vector<analysis::LinearNetwork::Link> links;
  std::vector<std::string> input_names, input_units, output_names, output_units;  ///< of all
  std::vector<double> input_sizes;  ///< nominal values
  std::vector<std::uint32_t> component_of_input, component_of_output;
  std::vector<std::size_t> external, chosen;  ///< inputs and outputs of the linear model
  std::size_t other_links = 0;                ///< of values that are not continuous
};

/// @throws Error(usage) for unknown names, and variables that cannot be used
LinearInterface find_linear_interface(const PreparedSystem& prepared,
                                      const LinearizeOptions& options);

}  // namespace tutti::session
