// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tutti/ode.hpp>
#include <tutti/solvers.hpp>
#include <utility>
#include <vector>

#include "base/explanation.hpp"
#include "solvers/ode/options.hpp"

/// Notation as in <tutti/ode.hpp>; h size of a step.

namespace tutti::solvers {

/// An integrator failed. The caller knows the meaning of the states and reports the failure to the
/// user.
class OdeFailure : public std::runtime_error {
 public:
  OdeFailure(double at, const std::string& why, std::string what_to_try = "", std::string of = "")
      : std::runtime_error(why), t(at), hint(std::move(what_to_try)), key(std::move(of)) {}
  double t;
  std::string hint;  ///< with `%key%` for...
  std::string key;   ///< ...an option of the solver, "solver.rtol"; empty: none
  std::optional<std::size_t> worst_state;  ///< with the largest error against its tolerance
};

/// Why a step was tried again with a smaller size.
enum class Rejection : std::uint8_t { error_test, convergence, evaluation };

/// Receives every step, for diagnosis. `errors` are those of the components against their
/// tolerances, 1 is just within; empty: not known.
class OdeMonitor {
 public:
  virtual ~OdeMonitor() = default;
  virtual void accepted(double t, double h, int order, std::span<const double> errors) = 0;
  virtual void rejected(double t, double h, Rejection why, std::span<const double> errors) = 0;
};

struct OdeOptions {
  double rtol = 1e-6;
  std::vector<double> atol{};  ///< one per state
  double max_step = std::numeric_limits<double>::infinity();
  double first_step = 0;  ///< 0: chosen
  SolverOptions own{};    ///< of the integrator
  OdeMonitor* monitor = nullptr;
};

/// Integrates one solution; the method chooses its steps:
///   1. start(t, y), of an implicit problem start(t, y, y') with consistent values
///   2. step(limit), then interpolate() anywhere in that step
///   3. start() again where the right-hand side is not smooth
/// Throws OdeFailure on failure.
class OdeIntegrator {
 public:
  virtual ~OdeIntegrator() = default;

  struct Step {
    double t = 0;       ///< end of the step, at most `limit`
    bool root = false;  ///< because some g changed its sign just before
  };

  /// Discards the history.
  virtual void start(double t, std::span<const double> y, std::span<const double> yp = {}) = 0;
  /// @pre limit > end of the last step
  virtual Step step(double limit) = 0;
  /// @pre t lies in the last step; for a method with fixed steps, at its end
  virtual void interpolate(double t, std::span<double> y) = 0;
  /// y' of the interpolant there, for implicit problems.
  virtual void interpolate_derivative(double t, std::span<double> yp);
  /// After a step that ended with a root: by event function 1, -1 or 0 (OdeEvent::roots).
  virtual std::span<const int> roots() const = 0;
  /// The degree of the polynomial that interpolate() evaluates in the last step.
  virtual int interpolation_degree() const = 0;
  /// Changes the tolerances at the next start.
  virtual void set_atol(std::span<const double> atol) = 0;
  virtual OdeStatistics statistics() const = 0;
  /// Stability, not accuracy, has limited the last steps. Detected by some explicit methods.
  virtual bool seems_stiff() const { return false; }
  /// Its choices and reasons, for messages; empty: none.
  virtual std::string note() const { return {}; }
  /// The choices that start() keeps: with these, an equal integrator gives the same results as this
  /// one if both start from the same states.
  virtual std::uint64_t choice() const { return 0; }
  /// Before a start. @pre from choice() of an equal integrator
  virtual void restore_choice(std::uint64_t /*choice*/) {}
};

/// A row of the table that command line, messages and tests read.
struct OdeEntry {
  const char* name;
  const char* summary;
  bool fixed_step =
      false;  ///< one step per communication step, no error control, roots not located
  std::unique_ptr<OdeIntegrator> (*make)(OdeProblem& problem, const OdeOptions& options);
  std::span<const OptionRow> options = {};
  int order = 0;  ///< the highest
  bool sparse = false;
  std::span<const OdeForm> forms = {};  ///< empty: explicit_ode only
  Explanation about = {};

  bool solves(OdeForm form) const;
};
std::span<const OdeEntry> ode_integrators();  ///< sorted by name
const OdeEntry* find_ode_integrator(std::string_view name);
/// @throws Error if a sparsity pattern or algebraic() of a problem is invalid
void check_patterns(const OdeProblem& problem);
/// The version of the library with CVODE.
std::string sundials_version();

}  // namespace tutti::solvers
