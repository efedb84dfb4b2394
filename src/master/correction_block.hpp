// SPDX-License-Identifier: BSD-2-Clause
// The parts of a linear correction, which nobody else needs to know.
#pragma once

#include "master/linear_correction.hpp"

namespace tutti::master {

/// An output that depends directly on inputs of its component.
struct LinearCorrection::Unknown {
  std::uint32_t component;
  const models::Scalar* scalar;
  models::ValueSet* set;
  std::optional<std::size_t> derivative;  ///< index in the component's OutputDerivatives
  double read() const { return set->read(*scalar).real; }
};

/// Where a coupled input comes from.
struct LinearCorrection::Feeder {
  std::int32_t variable;
  std::size_t curve;  ///< index among the continuous inputs of its component
  double factor, offset;
  const double* value;                   ///< of the output
  std::optional<std::size_t> unknown;    ///< the output is one...
  const OutputDerivatives* derivatives;  ///< ...or not, and perhaps its slope is known
  std::size_t derivative = 0;
};

/// The unknowns of one component: dense, because there are few. D is by rows.
struct LinearCorrection::Block {
  enum class Source : std::uint8_t { derivatives, probing, learning } source{};
  std::uint32_t component;
  std::vector<std::size_t> rows;      ///< unknowns...
  std::vector<std::int32_t> outputs;  ///< ...and their variables
  std::vector<Feeder> inputs;
  std::vector<double> jacobian;
  /// Learning: the last values, inputs then outputs; and how they changed in the last step.
  std::vector<double> last, slopes;
  double last_time = 0;
  double usual_slope = 0;  ///< of the inputs
  models::Snapshot state;  ///< probing

  double& at(std::size_t row, std::size_t column) { return jacobian[row * inputs.size() + column]; }
  double at(std::size_t row, std::size_t column) const {
    return jacobian[row * inputs.size() + column];
  }
};

}  // namespace tutti::master
