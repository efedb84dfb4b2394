// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <tutti/ode.hpp>

namespace tutti::solvers {

/// Finds where event functions trigger on the dense output of a step. A function triggers when it
/// changes its domain: (g_low > 0) != (g_high > 0), in its direction (zero counts as non-positive).
/// One that is zero at the start is inactive until it has left zero: its domain is that of the
/// first side on which it is seen, a tenth of the step after the start or at the end of a step, as
/// in SUNDIALS. The bracket shrinks by the Illinois method until it is 1e-13 of the time; its right
/// end is the event. (C. Andersson, Methods and Tools for Co-Simulation of Dynamic Systems with the
/// Functional Mock-up Interface, Lund 2016; the same as in Assimulo.)
class RootLocator {
 public:
  /// Writes the solution at t (and its derivative, of implicit problems).
  using Solution = std::function<void(double t, std::span<double> y, std::span<double> yp)>;

  explicit RootLocator(OdeProblem& problem);
  bool is_needed() const { return !low_.empty(); }

  /// Starts the search here. @throws OdeFailure where the functions cannot be computed
  void start(double t, std::span<const double> y, std::span<const double> yp);
  /// The first event after the end of the last search, up to t; nothing: none. The next search
  /// continues from the event, or from t.
  std::optional<double> look(double t, const Solution& solution);
  /// Directions of the last event, by function: 1, -1 or 0.
  std::span<const int> directions() const { return directions_; }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  void evaluate(double t, std::span<const double> y, std::span<const double> yp,
                std::vector<double>& g);
  void evaluate_on(double t, const Solution& solution, std::vector<double>& g);
  void activate(const std::vector<double>& g);
  bool triggers(std::size_t i, const std::vector<double>& high) const;
  bool any_triggers(const std::vector<double>& high) const;
  double next_point(double t_high, double alpha) const;

  OdeProblem& problem_;
  double t_low_ = 0;
  std::vector<double> low_, high_, middle_;  ///< g at the ends of the bracket and inside
  std::vector<std::uint8_t> is_active_;      ///< has been nonzero since the start
  bool all_active_ = true;
  std::vector<double> y_, yp_;
  std::vector<int> directions_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace tutti::solvers
