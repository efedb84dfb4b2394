// SPDX-License-Identifier: BSD-2-Clause
// The parts of a linear correction, private to it.
#pragma once

#include <algorithm>

#include "master/linear_correction.hpp"

namespace tutti::master {

/// An output that depends directly on inputs of its component. A connected output is an unknown of
/// the equations; an output without connections follows from their solution.
struct LinearCorrection::Unknown {
  std::uint32_t component;
  const models::Scalar* scalar;
  models::ValueSet* set;
  std::optional<std::size_t> derivative;  ///< index in the component's OutputDerivatives
  double read() const { return set->read(*scalar).real; }
};

/// The source of a coupled input.
struct LinearCorrection::Feeder {
  std::int32_t variable;
  std::size_t curve;  ///< index among the continuous inputs of its component
  double factor, offset;
  const double* value;                   ///< of the output
  std::optional<std::size_t> unknown;    ///< index, if the output is an unknown...
  const OutputDerivatives* derivatives;  ///< ...otherwise its derivatives, if known
  std::size_t derivative = 0;
};

/// The corrected outputs of one component: dense, because there are few. D is by rows, first those
/// of the unknowns, then those of the followers. Where the FMU has derivatives, followers have a
/// block of their own and need no D: one directional derivative gives their correction.
struct LinearCorrection::Block {
  enum class Source : std::uint8_t { derivatives, probing, learning } source{};
  std::uint32_t component;
  std::vector<std::size_t> rows;      ///< unknowns
  std::vector<Unknown> followers;     ///< outputs without connections
  std::vector<std::int32_t> outputs;  ///< the variables of both
  std::vector<Feeder> inputs;
  std::vector<std::int32_t> input_variables;
  std::size_t of_unknowns = 0;           ///< number of leading inputs: unknowns depend on no others
  std::vector<double> jacobian, before;  ///< now, and at the start of the step
  std::vector<double> doubts;            ///< by input
  /// For learning: the last values, inputs then outputs, and their slopes in the last step.
  std::vector<double> last, slopes;
  double last_time = 0;
  double usual_slope = 0;  ///< of the inputs
  models::Snapshot state;  ///< probing

  std::size_t row_count() const { return rows.size() + followers.size(); }
  /// @pre D is not yet known
  void take_followers(Block&& other) {
    followers = std::move(other.followers);
    outputs.insert(outputs.end(), other.outputs.begin(), other.outputs.end());
    for (const Feeder& input : other.inputs)
      if (std::none_of(inputs.begin(), inputs.end(),
                       [&](const Feeder& own) { return own.curve == input.curve; }))
        inputs.push_back(input);
  }
  /// The part of D that belongs to the unknowns.
  std::span<const double> jacobian_of_unknowns() const {
    return {jacobian.data(), rows.size() * inputs.size()};
  }
  double& at(std::size_t row, std::size_t column) { return jacobian[row * inputs.size() + column]; }
  double at(std::size_t row, std::size_t column) const {
    return jacobian[row * inputs.size() + column];
  }
};

}  // namespace tutti::master
