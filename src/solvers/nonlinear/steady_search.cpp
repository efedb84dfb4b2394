// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/nonlinear/steady_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "solvers/linear/deficient_system.hpp"
#include "solvers/ode/components.hpp"

namespace tutti::solvers {
namespace {

// Derivatives that carry a state by less than this part of its nominal per second, times the
// tolerance, are rounding errors: without this, a constant term that nothing balances would have to
// be exactly 0.
constexpr double rounding_part = 1e-3;
constexpr int most_events = 20;  ///< that change the equations, within Newton's method

class SteadySearch {
 public:
  SteadySearch(SteadyProblem& problem, const SteadySettings& settings)
      : problem_(problem), settings_(settings), n_(problem.size()), weights_(n_) {}

  SteadyOutcome run(const std::vector<double>& start) {
    go_to(start);
    std::string& newton = result_.newton_failure;
    newton = is_known_ ? newton_search() : "the equations cannot be evaluated at the start values";
    if (newton.empty()) {
      result_.found = true;
    } else if (!is_known_) {
      result_.transient_failure = newton;
    } else {
      const std::vector<double> newton_z = z_;
      result_.by_transient = true;
      go_to(start);
      result_.transient_failure = is_known_ ? transient_search() : newton;
      result_.found = result_.transient_failure.empty();
      if (!result_.found && imbalance(newton_z, start) <= imbalance(z_, start)) z_ = newton_z;
    }
    finish();
    return std::move(result_);
  }

 private:
  void go_to(const std::vector<double>& z) {
    z_ = z;
    r_.assign(n_, std::numeric_limits<double>::quiet_NaN());
    is_known_ = problem_.evaluate(z_, r_);
    if (!is_known_) return;
    problem_.accept(z_);
    is_known_ = problem_.evaluate(z_, r_);
  }

  /// How far from a steady state: the fastest relative change, in 1/s.
  double imbalance(const std::vector<double>& z, const std::vector<double>& start) {
    std::vector<double> r(n_);
    if (!problem_.evaluate(z, r) || !has_only_finite(r))
      return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < problem_.state_count(); ++i)
      largest = std::max(largest, std::abs(r[i]) / (std::abs(start[i]) + problem_.nominal(i)));
    return largest;
  }

  void find_weights() {
    for (std::size_t j = 0; j < n_; ++j) weights_[j] = std::abs(z_[j]) + problem_.nominal(j);
  }
  /// Largest element relative to the weights.
  double size_of(std::span<const double> d) const {
    double largest = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      if (!std::isfinite(d[j])) return std::numeric_limits<double>::infinity();
      largest = std::max(largest, std::abs(d[j]) / weights_[j]);
    }
    return largest;
  }
  /// The derivative of a state over its weight, in 1/s.
  double rate(std::size_t i) const { return r_[i] / weights_[i]; }
  double rate_norm() const {
    double sum = 0;
    for (std::size_t i = 0; i < problem_.state_count(); ++i) sum += rate(i) * rate(i);
    return std::sqrt(sum);
  }

  bool linearize() {
    find_weights();
    jacobian_.clear();
    if (!problem_.linearize(z_, r_, jacobian_)) return false;
    for (const Entry& entry : jacobian_)
      if (!std::isfinite(entry.value)) return false;
    std::vector<double> sums(n_);
    for (const Entry& entry : jacobian_)
      sums[entry.row] += std::abs(entry.value) * weights_[entry.column];
    allowed_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const double floor = i < problem_.state_count() ? rounding_part * problem_.nominal(i) : 0;
      allowed_[i] = settings_.tolerance * (sums[i] + floor);
    }
    return true;
  }
  bool has_small_residual() const {
    for (std::size_t i = 0; i < n_; ++i)
      if (!(std::abs(r_[i]) <= allowed_[i])) return false;
    return true;
  }

  /// Empty: z is a solution.
  std::string newton_search() {
    int events = 0;
    std::vector<double> d(n_), next(n_), negative(n_), moved(n_), reference = z_;
    for (; result_.iterations < settings_.newton_iterations; ++result_.iterations) {
      if (!linearize()) return "the Jacobian cannot be evaluated, or is not finite";
      const DeficientSystem system(n_, jacobian_, weights_, problem_.state_count(),
                                   100 * problem_.jacobian_error());
      std::ranges::transform(r_, negative.begin(), [](double r) { return -r; });
      for (std::size_t j = 0; j < n_; ++j) moved[j] = z_[j] - reference[j];
      system.solve(negative, moved, d);
      const double length = size_of(d);
      if (!std::isfinite(length)) return "the Jacobian is singular";
      if (length <= settings_.tolerance) {
        if (!has_small_residual())
          return fmt::format(
              "the Jacobian is singular (rank {} of {}), and no change of the "
              "unknowns reduces the residual",
              system.rank(), n_);
        polish(d);
        std::vector<double> there = z_;
        if (!problem_.confirm(there)) return {};
        if (++events > most_events) return "events keep changing the equations at the solution";
        if (!move_to(there)) return "the equations cannot be evaluated after an event";
        reference = there;
        continue;
      }
      if (!find_next(system, d, length, moved, next))
        return "the line search found no point closer to a solution";
      if (problem_.accept(next)) {
        if (++events > most_events) return "events keep changing the equations";
        reference = next;
      }
      if (!move_to(next)) return "the equations cannot be evaluated after an event";
    }
    return fmt::format("no convergence within {} iterations", settings_.newton_iterations);
  }

  /// The line search. Far beyond the present values only equations that are linear up to there are
  /// trusted: near a horizontal tangent, a step leads to any other solution, or to none.
  bool find_next(const DeficientSystem& system, std::span<const double> d, double length,
                 std::span<const double> moved, std::vector<double>& next) {
    constexpr double usual_change = 1, largest_change = 1e3, smallest_part = 1e-6;
    constexpr double nonlinear_part = 0.1;
    std::vector<double> r(n_), negative(n_), next_moved(n_), next_d(n_), deviation(n_);
    const auto is_closer = [&](double part, bool must_be_linear) {
      for (std::size_t j = 0; j < n_; ++j) next[j] = z_[j] + part * d[j];
      if (!problem_.evaluate(next, r) || !has_only_finite(r)) return false;
      std::ranges::transform(r, negative.begin(), [](double value) { return -value; });
      for (std::size_t j = 0; j < n_; ++j) next_moved[j] = moved[j] + part * d[j];
      system.solve(negative, next_moved, next_d);
      if (must_be_linear) {
        for (std::size_t j = 0; j < n_; ++j) deviation[j] = next_d[j] - (1 - part) * d[j];
        if (!(size_of(deviation) <= nonlinear_part * part * length)) return false;
      }
      return size_of(next_d) <= std::max((1 - part / 4) * length, settings_.tolerance);
    };
    if (length > usual_change && is_closer(std::min(1.0, largest_change / length), true))
      return true;
    const double first = std::min(1.0, usual_change / length);
    for (double part = first; part >= smallest_part * first; part /= 2)
      if (is_closer(part, false)) return true;
    return false;
  }

  bool move_to(const std::vector<double>& z) {
    z_ = z;
    return problem_.evaluate(z_, r_);
  }

  /// A last step, if it reduces the residuals.
  void polish(std::span<const double> d) {
    std::vector<double> next(n_), next_r(n_);
    for (std::size_t j = 0; j < n_; ++j) next[j] = z_[j] + d[j];
    const auto size = [&](std::span<const double> r) {
      double largest = 0;
      for (std::size_t i = 0; i < n_; ++i)
        if (allowed_[i] > 0) largest = std::max(largest, std::abs(r[i]) / allowed_[i]);
      return largest;
    };
    if (problem_.evaluate(next, next_r) && size(next_r) < size(r_))
      z_ = next, r_ = next_r;
    else
      problem_.evaluate(z_, r_);
  }

  /// (M/h - J) d = F, in scaled unknowns; M is 1 for states.
  std::vector<double> transient_step(double h) const {
    std::vector<Entry> scaled;
    const std::size_t states = problem_.state_count();
    std::vector<double> rows(n_, 1), right(n_), d(n_);
    for (std::size_t i = 0; i < states; ++i) rows[i] = weights_[i];
    for (std::size_t i = states; i < n_; ++i)
      rows[i] = allowed_[i] > 0 ? allowed_[i] / settings_.tolerance : 1;
    for (const Entry& e : jacobian_)
      scaled.push_back({e.row, e.column, -e.value * weights_[e.column] / rows[e.row]});
    for (std::size_t i = 0; i < n_; ++i) {
      right[i] = r_[i] / rows[i];
      if (i < states) scaled.push_back({i, i, 1 / h});
    }
    LinearSystem(n_, scaled).solve(right, d);
    for (std::size_t j = 0; j < n_; ++j) d[j] *= weights_[j];
    return d;
  }

  /// Shortens h until the changes are moderate and the equations can be evaluated at the end.
  /// Returns the size of the change; infinity: there is no such step.
  double shorten_step(double& h, double shortest, std::vector<double>& next) {
    constexpr double largest_change = 1, infinity = std::numeric_limits<double>::infinity();
    std::vector<double> next_r(n_);
    double last_change = infinity;
    for (; h >= shortest; h /= 4) {
      const std::vector<double> d = transient_step(h);
      const double change = size_of(d);
      // A value that is given must be reached, however short the step.
      const bool is_too_large = change > largest_change && change < 0.9 * last_change;
      last_change = change;
      for (std::size_t j = 0; j < n_; ++j) next[j] = z_[j] + d[j];
      if (std::isfinite(change) && !is_too_large && problem_.evaluate(next, next_r) &&
          has_only_finite(next_r))
        return change;
    }
    return infinity;
  }

  /// Empty: z is a solution.
  std::string transient_search() {
    constexpr double first_change = 0.1, least_change = 0.1;
    constexpr double usual_growth = 2, largest_growth = 5, largest_loss = 0.5;
    constexpr double endless = 1e15;    // times the start and nominal values
    constexpr int most_idle = 20;       // steps with small derivatives
    constexpr int most_switches = 200;  // by events after a step
    int idle = 0, events = 0, switches = 0;
    const std::vector<double> start = z_;
    std::vector<double> next(n_);
    find_weights();
    double fastest = 0, last_step = std::numeric_limits<double>::infinity(), longest = 0;
    for (std::size_t i = 0; i < problem_.state_count(); ++i)
      fastest = std::max(fastest, std::abs(rate(i)));
    double h = fastest > 0 ? first_change / fastest : 1;
    const double shortest = 1e-12 * h, longest_step = 1e20 * h;
    for (; result_.steps < settings_.transient_steps; ++result_.steps) {
      if (!linearize()) return "the Jacobian cannot be evaluated, or is not finite";
      // Where nothing pulls it back, a state that goes to infinity has a small derivative, too.
      if (has_small_residual() && last_step <= std::sqrt(settings_.tolerance)) {
        std::vector<double> there = z_;
        if (!problem_.confirm(there)) return {};
        if (++events > most_events) return "events keep changing the equations at the solution";
        if (!move_to(there)) return "the equations cannot be evaluated after an event";
        last_step = std::numeric_limits<double>::infinity();
        continue;
      }
      idle = has_small_residual() ? idle + 1 : 0;
      if (idle > most_idle) return "the derivatives become small, but the values keep moving";
      const double before = rate_norm();
      const double change = shorten_step(h, shortest, next);
      if (!std::isfinite(change))
        return fmt::format("no step is possible, not even of {:.3g} s", h);
      if (problem_.accept(next) && ++switches > most_switches)
        return "events keep changing the equations";
      if (!move_to(next)) return "the equations cannot be evaluated after an event";
      for (std::size_t j = 0; j < n_; ++j)
        if (std::abs(z_[j]) > endless * (std::abs(start[j]) + problem_.nominal(j)))
          return "values grow without limit";
      longest = std::max(longest, h);
      last_step = change;
      const double after = rate_norm();
      double growth = after > 0 ? before / after : largest_growth;
      if (change < least_change) growth = std::max(growth, usual_growth);
      h = std::min(h * std::clamp(growth, largest_loss, largest_growth), longest_step);
    }
    return fmt::format("no convergence within {} steps of up to {:.3g} s",
                       settings_.transient_steps, longest);
  }

  void finish() {
    const bool is_known = problem_.evaluate(z_, r_) && linearize();
    result_.z = z_;
    result_.r = r_;
    result_.allowed = allowed_;
    if (!is_known) return;
    result_.jacobian = jacobian_;
    const DeficientSystem system(n_, jacobian_, weights_, problem_.state_count(),
                                 100 * problem_.jacobian_error());
    if (system.rank() < n_) result_.undetermined = system.undetermined();
  }

  SteadyProblem& problem_;
  const SteadySettings& settings_;
  std::size_t n_;
  std::vector<double> weights_, z_, r_, allowed_;
  std::vector<Entry> jacobian_;
  bool is_known_ = false;
  SteadyOutcome result_;
};

}  // namespace

SteadyOutcome find_steady(SteadyProblem& problem, std::vector<double> start,
                          const SteadySettings& settings) {
  return SteadySearch(problem, settings).run(start);
}

}  // namespace tutti::solvers
