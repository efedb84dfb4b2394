// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "master/cycle_run.hpp"
#include "models/value_set.hpp"

namespace tutti::master {

/// What can be recorded of steps: "step", "iterations", "error".
class StepInfo {
 public:
  StepInfo();
  static const ModelDescription& description();
  const models::ValueSet& values() const { return values_; }
  /// The length and error of the last step, and the iterations since the last time.
  void note(double h, double error, std::span<const CycleReport> cycles);

 private:
  models::ValueSet values_;
  std::uint64_t noted_iterations_ = 0;
};

}  // namespace tutti::master
