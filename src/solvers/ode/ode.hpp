// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tutti/solvers.hpp>
#include <utility>
#include <vector>

#include "solvers/linear/sparsity.hpp"

/// Notation: t time, y states, f = dy/dt right-hand side, g functions whose zeros are looked for,
/// J = df/dy.

namespace tutti::solvers {

/// An integrator cannot go on. The caller knows what the states mean and reports it to the user.
class OdeFailure : public std::runtime_error {
 public:
  OdeFailure(double at, const std::string& why, std::string what_to_try = "", std::string of = "")
      : std::runtime_error(why), t(at), hint(std::move(what_to_try)), key(std::move(of)) {}
  double t;
  std::string hint;  ///< with `%key%` for...
  std::string key;   ///< ...an option of the solver, "solver.rtol"; empty: none
  std::optional<std::size_t> worst_state;  ///< with the largest error against its tolerance
};

/// y' = f(t, y). A function that answers false could not be computed at this point: a smaller step
/// may help. An exception ends the integration and reaches the caller.
class OdeProblem {
 public:
  virtual ~OdeProblem() = default;
  virtual std::size_t size() const = 0;  ///< at least 1
  virtual bool evaluate(double t, std::span<const double> y, std::span<double> f) = 0;

  virtual std::size_t root_count() const { return 0; }
  virtual bool evaluate_roots(double, std::span<const double>, std::span<double>) { return true; }

  /// Where J can differ from zero; null: everywhere.
  virtual const SparsityPattern* jacobian_pattern() const { return nullptr; }
  virtual bool has_directional_derivatives() const { return false; }
  /// result = J(t, y) seed
  virtual bool differentiate(double, std::span<const double>, std::span<const double> /*seed*/,
                             std::span<double> /*result*/) {
    return false;
  }
};

struct OdeOptions {
  double rtol = 1e-6;
  std::vector<double> atol;  ///< one per state
  double max_step = std::numeric_limits<double>::infinity();
};

/// Walks along one solution, step by step as the method likes:
///   1. start(t, y)
///   2. step(limit), then interpolate() anywhere in that step
///   3. start() again where the right-hand side is not smooth
/// Throws OdeFailure when it cannot go on.
class OdeIntegrator {
 public:
  virtual ~OdeIntegrator() = default;

  struct Step {
    double t = 0;       ///< where it ended, at most `limit`
    bool root = false;  ///< because some g changed its sign just before
  };

  /// Forgets everything before.
  virtual void start(double t, std::span<const double> y) = 0;
  /// @pre limit > where the last step ended
  virtual Step step(double limit) = 0;
  /// @pre t lies in the last step; for a method with fixed steps, at its end
  virtual void interpolate(double t, std::span<double> y) = 0;
  /// Other tolerances from the next start on.
  virtual void set_atol(std::span<const double> atol) = 0;
  virtual OdeStatistics statistics() const = 0;
};

/// A row of the table that command line, messages and tests read.
struct OdeEntry {
  const char* name;
  const char* summary;
  bool fixed_step;  ///< one step per communication step, no error control, roots not located
  std::unique_ptr<OdeIntegrator> (*make)(OdeProblem& problem, const OdeOptions& options);
};
std::span<const OdeEntry> ode_integrators();  ///< sorted by name
const OdeEntry* find_ode_integrator(std::string_view name);
/// Of the library that has CVODE.
std::string sundials_version();

}  // namespace tutti::solvers
