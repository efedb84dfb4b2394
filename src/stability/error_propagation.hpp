// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <span>

#include "stability/coupled_system.hpp"

namespace tutti::stability {

/// The effect of input errors in a coupled linear system.
///
/// With inputs u = L y + e instead of L y, states and outputs have errors x and y with
///   x' = [A + B L (I - D L)^-1 C] x + B (I - L D)^-1 e,   y = (I - D L)^-1 (C x + D e)
/// The errors e are constant over a step, and the solution is exact then. The exponentials are
/// those of 1, 2, 4, ... quanta of time, so that steps of every length cost a few products of a
/// matrix and a vector; the remainder is carried to the next step. Near the point of linearization
/// this is the global error of a run to first order in e; for a nonlinear system it is an estimate
/// as accurate as the linearization along the run.
class ErrorPropagation {
 public:
  static constexpr std::size_t most_states = 60, most_connections = 100, most_outputs = 100;

  /// Whether the system is small enough and has no algebraic loop of gain 1.
  static bool is_possible(const CoupledSystem& system);
  /// @pre is_possible(system), span > 0
  ErrorPropagation(const CoupledSystem& system, double span);

  /// A step of h was accepted with these input errors, the values used minus L y: the mean over the
  /// step, and the value at its end (0: outputs were corrected).
  /// @pre one per input of the system, in its order
  void step(double h, std::span<const double> mean, std::span<const double> at_end);

  /// The largest magnitude of the error so far, by output. Not finite: no estimate.
  std::span<const double> largest() const { return largest_; }
  /// At the end of the last step, by output, up to the last whole quantum of time.
  std::span<const double> present() const { return present_; }
  /// By output and one of these inputs: the largest error over the whole span that a constant error
  /// of 1 of the input causes, evaluated at some tens of points.
  Matrix gains(std::span<const std::size_t> inputs) const;
  /// The time that is left over after another step of h.
  double left_after(double h) const {
    return waiting_ + h - quantum_ * std::floor((waiting_ + h) / quantum_);
  }

  /// Appends everything that changes from step to step, for a checkpoint; restore() returns the
  /// rest.
  void save(std::vector<double>& into) const;
  std::span<const double> restore(std::span<const double> from);

 private:
  struct Level {
    Matrix phi, gamma;  ///< x -> phi x + gamma e in 2^k quanta; transposed
  };
  void advance(std::size_t quanta);

  double quantum_;
  std::vector<Level> levels_;
  Matrix from_states_;        ///< of the outputs; transposed
  SparseMatrix from_inputs_;  ///< the same; few outputs depend directly on an input
  std::vector<double> x_, scratch_;
  double waiting_ = 0;            ///< time that is left over
  std::vector<double> integral_;  ///< of e over it
  std::vector<double> largest_, present_;
};

}  // namespace tutti::stability
