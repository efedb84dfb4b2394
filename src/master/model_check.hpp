// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/error_propagation.hpp"

namespace tutti::master {

/// Whether linear models follow a run: each is given the inputs that its component is given, from
/// the start on, and its outputs are compared with those of the component. What is nonlinear,
/// depends on time or has events soon differs, and so does what is unstable in itself.
class ModelCheck {
 public:
  /// Parts that are not coupled. Their values: where they are read, and their rows.
  ModelCheck(const stability::CoupledSystem& parts, std::vector<const double*> outputs,
             double span);

  /// After a step of h with these inputs, less those at the start: see ErrorPropagation.
  /// `at_start` of the step and `at_end`, for outputs that follow at once.
  void step(double h, std::span<const double> mean, std::span<const double> at_start,
            std::span<const double> at_end);
  /// The model of an output is near enough.
  bool fits(std::size_t output) const;

  void keep(Memory& memory) { memory(models_, before_, range_, off_); }

 private:
  std::vector<const double*> outputs_;
  std::vector<double> start_, before_;  ///< of the outputs
  std::vector<double> range_, off_;     ///< largest change, largest deviation from the model
  std::vector<double> inputs_;          ///< scratch
  stability::ErrorPropagation models_;
};

}  // namespace tutti::master
