// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <span>

#include "stability/coupled_system.hpp"

namespace tutti::stability {

/// What becomes of the errors of inputs in a coupled linear system.
///
/// Where inputs are u = L y + e instead of L y, states and outputs are wrong by x and y with
///   x' = [A + B L (I - D L)^-1 C] x + B (I - L D)^-1 e,   y = (I - D L)^-1 (C x + D e)
/// The errors e are constant over a step, and the solution is exact then. The exponentials are
/// those of 1, 2, 4, ... quanta of time, so that steps of every length cost a few products of a
/// matrix and a vector; what is left over waits for the next step. Around the point of the
/// linearization this is the global error of a run to first order in e; of a nonlinear system it is
/// an estimate that is as good as the linearization is along the run.
class ErrorPropagation {
 public:
  static constexpr std::size_t most_states = 60, most_connections = 100, most_outputs = 100;

  /// Whether it can be made: it is small enough, and has no algebraic loop of gain 1.
  static bool is_possible(const CoupledSystem& system);
  /// @pre is_possible(system), span > 0
  ErrorPropagation(const CoupledSystem& system, double span);

  /// A step of h was accepted in which the inputs were wrong by this, what the components got less
  /// L y, with its sign: the mean over the step, and the value at its end (0: outputs were
  /// corrected).
  /// @pre as many as the system has inputs, in its order
  void step(double h, std::span<const double> mean, std::span<const double> at_end);

  /// The largest magnitude of the error so far, by output. Not finite: no estimate.
  std::span<const double> largest() const { return largest_; }
  /// Where the last step ended, by output: as far as whole quanta of time have passed.
  std::span<const double> present() const { return present_; }
  /// By output and one of these inputs: the largest error over the whole span that a constant error
  /// of 1 of the input causes, as far as some tens of points show it.
  Matrix gains(std::span<const std::size_t> inputs) const;
  /// The time that is left over after another step of h.
  double left_after(double h) const {
    return waiting_ + h - quantum_ * std::floor((waiting_ + h) / quantum_);
  }

  /// Everything that changes from step to step, for a checkpoint: it is appended; restore() returns
  /// what follows.
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
