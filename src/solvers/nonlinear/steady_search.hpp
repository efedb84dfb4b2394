// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "solvers/linear/linear_system.hpp"

namespace tutti::solvers {

/// x' = f(x, u) = 0 with as many further equations as unknowns u: F(z) = 0 with z = (x, u). The
/// first equations are the derivatives of the states, in their order.
class SteadyProblem {
 public:
  virtual ~SteadyProblem() = default;
  virtual std::size_t size() const = 0;
  virtual std::size_t state_count() const = 0;
  /// Of an unknown, positive.
  virtual double nominal(std::size_t unknown) const = 0;
  /// False: the model rejects this point.
  virtual bool evaluate(std::span<const double> z, std::span<double> r) = 0;
  /// @pre r = F(z). False: not possible here
  virtual bool linearize(std::span<const double> z, std::span<const double> r,
                         std::vector<Entry>& jacobian) = 0;
  /// Part of a Jacobian that may be an error of its evaluation.
  virtual double jacobian_error() const = 0;
  /// The search has reached z: handles the events between the last such point and z. True: the
  /// equations have changed, and perhaps z.
  virtual bool accept(std::vector<double>& z) = 0;
  /// The search would end at z: events that only show there. True: as accept()
  virtual bool confirm(std::vector<double>& z) = 0;
};

struct SteadySettings {
  double tolerance = 1e-9;  ///< of an unknown, relative to magnitude + nominal
  int newton_iterations = 50;
  int transient_steps = 1000;
};

struct SteadyOutcome {
  bool found = false;
  bool by_transient = false;               ///< Newton's method failed
  int iterations = 0, steps = 0;           ///< of Newton's method and of the transient
  std::vector<double> z, r;                ///< the last point, or the solution, and F there
  std::vector<std::uint8_t> undetermined;  ///< by unknown; empty: none
  std::vector<double> allowed;             ///< by equation: residuals up to here count as 0
  std::vector<Entry> jacobian;             ///< there; empty: not available
  std::string newton_failure, transient_failure;
};

/// Damped Newton's method with the natural monotonicity test (P. Deuflhard, Newton Methods for
/// Nonlinear Problems, Springer 2011, 3.3); if it fails, pseudo-transient continuation from the
/// start again: implicit Euler steps of growing size (C. T. Kelley, D. E. Keyes, SIAM J. Numer.
/// Anal. 35, 1998: switched evolution relaxation), which follows the solution of x' = f(x) roughly.
SteadyOutcome find_steady(SteadyProblem& problem, std::vector<double> start,
                          const SteadySettings& settings);

}  // namespace tutti::solvers
