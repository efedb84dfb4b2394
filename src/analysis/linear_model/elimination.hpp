// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/linearize.hpp>
#include <vector>

#include "models/linear_equations.hpp"

namespace tutti::analysis {

/// Linear models of components, x' = A x + B u, y = C x + D u, and their connections
/// u = L y + E w + offsets. Inputs and outputs of all components are numbered one after the other.
struct LinearNetwork {
  struct Part {
    const models::LinearEquations* equations = nullptr;
    std::size_t inputs = 0, outputs = 0;
    bool adjusts = true;  ///< its outputs can be evaluated again with other inputs at the point
  };
  struct Link {
    std::size_t input = 0, output = 0;
    double factor = 1, offset = 0;
  };
  std::vector<Part> parts;
  std::vector<Link> links;
  std::vector<std::string> input_names;

  std::size_t input_count() const { return input_names.size(); }
};

/// The model of the whole: inputs w are added to some inputs, outputs are some outputs.
struct CoupledMatrices {
  LinearMatrix a, b, c, d;
};
/// Substitutes u = (I - L D)^-1 (L C x + E w).
/// @param external the inputs that E adds w to
/// @throws Error(numeric) if I - L D is singular: the message names the variables of the loop
CoupledMatrices eliminate(const LinearNetwork& network, const std::vector<std::size_t>& external,
                          const std::vector<std::size_t>& outputs);

/// A Newton step towards inputs that agree with the outputs at the point: their changes du, where
/// `residual` is L y + offsets - u. Only outputs of components that adjust respond.
std::vector<double> solve_inputs(const LinearNetwork& network, std::vector<double> residual);

}  // namespace tutti::analysis
