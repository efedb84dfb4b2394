// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "solvers/ode/ode.hpp"

namespace tutti::models {

/// Collects what limits the steps of an integrator, in a bounded number of points.
class StepMonitor final : public solvers::OdeMonitor {
 public:
  static constexpr std::size_t most_steps = 4096;

  explicit StepMonitor(std::size_t state_count) { diagnosis_.states.resize(state_count); }

  void accepted(double t, double h, int order, std::span<const double> errors) override;
  void rejected(double t, double h, solvers::Rejection why,
                std::span<const double> errors) override;

  /// Accepted steps so far: unchanged by an integrator that does not report its steps.
  std::uint64_t accepted_count() const { return diagnosis_.accepted; }
  /// The states have no names yet.
  const SolverDiagnosis& diagnosis() const { return diagnosis_; }

 private:
  void halve();

  SolverDiagnosis diagnosis_;
  std::uint64_t group_ = 1;    ///< number of successive steps per point
  std::uint64_t in_last_ = 0;  ///< steps in the last point
};

}  // namespace tutti::models
