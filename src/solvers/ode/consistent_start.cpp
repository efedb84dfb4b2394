// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/consistent_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solvers/linear/linear_system.hpp"
#include "solvers/ode/forms.hpp"
#include "solvers/ode/jacobian.hpp"

namespace tutti::solvers {
namespace {

constexpr int most_newton_steps = 30;
constexpr double least_damping = 1e-4;
constexpr double consistent_part = 0.1;  // of the tolerances: leaves room for the first step
constexpr double newton_tolerance = 1e-3;
constexpr double share_of_time = 1e-3;  // IDA's size of a first step, relative to the interval
constexpr double singular = 1e-6;       // above the errors of differences

bool are_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

class StartFinder {
 public:
  StartFinder(OdeProblem& implicit, double t, double span, double rtol,
              std::span<const double> atol)
      : problem_(implicit),
        jacobian_(implicit),
        t_(t),
        h_(share_of_time * span),
        rtol_(rtol),
        atol_(atol),
        by_y_(jacobian_.value_count()),
        by_slope_(jacobian_.value_count()),
        r_(implicit.size()) {}

  bool evaluate(std::span<const double> y, std::span<const double> yp) {
    return problem_.residual(t_, y, yp, r_) && are_finite(r_);
  }
  /// dF/dy and dF/dy'. @pre evaluate() at the same point
  bool linearize(std::span<const double> y, std::span<const double> yp);
  std::vector<std::uint8_t> without_derivatives() const;
  /// The largest residual against what the tolerances of y and y' allow.
  double violation(std::span<const double> y, std::span<const double> yp) const;
  bool is_exact() const {
    return std::ranges::all_of(r_, [](double value) { return value == 0; });
  }
  /// Newton's method for y[i] where is_state[i], else for yp[i]. False: it fails.
  bool solve(std::vector<double>& y, std::vector<double>& yp,
             const std::vector<std::uint8_t>& is_state);
  /// A direction that the equations do not determine; empty: none. @pre linearize()
  std::vector<double> undetermined(const std::vector<std::uint8_t>& is_state) const {
    return system(is_state).free_direction(singular);
  }
  /// Components that the last solve() did not determine; empty: none.
  const std::vector<double>& free_direction() const { return free_; }
  std::string worst_equations() const;

 private:
  template <class Action>
  void for_each_entry(const Action& action) const;
  LinearSystem system(const std::vector<std::uint8_t>& is_state) const;
  double tolerance(std::size_t i, double y) const {
    return std::max(atol_[i] + rtol_ * std::abs(y), std::numeric_limits<double>::epsilon());
  }
  double slope_tolerance(std::size_t i, double y, double slope) const {
    return std::max(tolerance(i, y) / h_, rtol_ * std::abs(slope));
  }

  OdeProblem& problem_;
  Jacobian jacobian_;
  double t_, h_, rtol_;
  std::span<const double> atol_;
  std::vector<double> by_y_, by_slope_, r_, free_;
};

bool StartFinder::linearize(std::span<const double> y, std::span<const double> yp) {
  std::vector<double> increments(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) increments[i] = tolerance(i, y[i]);
  const double c = 1 / h_;
  if (!jacobian_.evaluate(t_, y, yp, 0, r_, increments, by_y_)) return false;
  if (!jacobian_.evaluate(t_, y, yp, c, r_, increments, by_slope_)) return false;
  for (std::size_t k = 0; k < by_y_.size(); ++k) by_slope_[k] = (by_slope_[k] - by_y_[k]) / c;
  return are_finite(by_slope_);
}

template <class Action>
void StartFinder::for_each_entry(const Action& action) const {
  const std::size_t n = r_.size();
  std::size_t place = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (jacobian_.pattern() == nullptr)
      for (std::size_t i = 0; i < n; ++i) action(i, j, place++);
    else
      for (const std::int64_t i : jacobian_.pattern()->rows_of(j))
        action(static_cast<std::size_t>(i), j, place++);
  }
}

std::vector<std::uint8_t> StartFinder::without_derivatives() const {
  std::vector<std::uint8_t> found(r_.size(), 1);
  // Without y', both Jacobians are computed from the same numbers: the difference is exactly 0.
  for_each_entry([&](std::size_t, std::size_t j, std::size_t place) {
    if (by_slope_[place] != 0) found[j] = 0;
  });
  return found;
}

double StartFinder::violation(std::span<const double> y, std::span<const double> yp) const {
  std::vector<double> allowed(r_.size());
  for_each_entry([&](std::size_t i, std::size_t j, std::size_t place) {
    allowed[i] += std::abs(by_y_[place]) * tolerance(j, y[j]) +
                  std::abs(by_slope_[place]) * slope_tolerance(j, y[j], yp[j]);
  });
  double largest = 0;
  for (std::size_t i = 0; i < r_.size(); ++i)
    if (r_[i] != 0) largest = std::max(largest, std::abs(r_[i]) / allowed[i]);
  return largest;
}

LinearSystem StartFinder::system(const std::vector<std::uint8_t>& is_state) const {
  std::vector<Entry> entries;
  for_each_entry([&](std::size_t i, std::size_t j, std::size_t place) {
    const double value = is_state[j] != 0 ? by_y_[place] : by_slope_[place];
    if (value != 0) entries.push_back({i, j, value});
  });
  return LinearSystem(r_.size(), entries);
}

bool StartFinder::solve(std::vector<double>& y, std::vector<double>& yp,
                        const std::vector<std::uint8_t>& is_state) {
  const std::size_t n = y.size();
  std::vector<double> change(n), next_y = y, next_yp = yp, next_change(n);
  const auto norm = [&](const std::vector<double>& changes) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double part =
          changes[i] / (is_state[i] != 0 ? tolerance(i, y[i]) : slope_tolerance(i, y[i], yp[i]));
      sum += part * part;
    }
    return std::sqrt(sum / static_cast<double>(n));
  };
  for (int iteration = 0; iteration < most_newton_steps; ++iteration) {
    if (!evaluate(y, yp) || !linearize(y, yp)) return false;
    const LinearSystem newton = system(is_state);
    newton.solve(r_, change);
    free_ = newton.free_direction(singular);
    const double size = norm(change);
    if (!free_.empty() || !std::isfinite(size)) return false;
    // A step is accepted if it is nearer to the solution in the norm of the same matrix,
    // independent of the units of F (P. Deuflhard, Newton Methods for Nonlinear Problems, 3.3:
    // natural monotonicity test).
    double damping = 1, next_size = size;
    for (;; damping /= 2) {
      if (damping < least_damping) return false;
      for (std::size_t i = 0; i < n; ++i)
        (is_state[i] != 0 ? next_y[i] : next_yp[i]) =
            (is_state[i] != 0 ? y[i] : yp[i]) - damping * change[i];
      if (!evaluate(next_y, next_yp)) continue;
      newton.solve(r_, next_change);
      next_size = norm(next_change);
      if (next_size <= (1 - damping / 4) * size || next_size <= newton_tolerance) break;
    }
    y = next_y, yp = next_yp;
    if (damping == 1 && next_size <= newton_tolerance) return true;
  }
  return false;
}

std::string StartFinder::worst_equations() const {
  std::vector<std::size_t> order(r_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return std::abs(r_[a]) > std::abs(r_[b]); });
  order.resize(std::min<std::size_t>(order.size(), 3));
  std::string text;
  for (const std::size_t i : order)
    if (r_[i] != 0)
      text += fmt::format("{}{} (residual {:.3g})", text.empty() ? "" : ", ", i, r_[i]);
  return text;
}

double span_of(double t, double direction_end) {
  const double span = std::abs(direction_end - t);
  return span > 0 && std::isfinite(span) ? span : 1;
}

[[noreturn]] void refuse_start(double t, StartFinder& finder, const std::vector<double>& y,
                               const std::vector<double>& yp) {
  const std::vector<double> free = finder.free_direction();
  if (!finder.evaluate(y, yp))
    throw OdeFailure(t, "the equations cannot be computed or are not finite at the start values");
  const std::string why = fmt::format(
      "no consistent start values found; equations violated most: {}", finder.worst_equations());
  if (free.empty())
    throw OdeFailure(t, why, "Try other guesses of the algebraic components and of y'.");
  const auto largest =
      std::ranges::max_element(free, [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto component = static_cast<std::size_t>(largest - free.begin());
  OdeFailure failure(
      t,
      fmt::format("{}; they do not determine component {}: the index is probably above 1", why,
                  component),
      "Differentiate the constraints, or start from consistent values.");
  failure.worst_state = component;
  throw failure;
}

std::string index_warning(const std::vector<double>& free) {
  if (free.empty()) return {};
  const auto largest =
      std::ranges::max_element(free, [](double a, double b) { return std::abs(a) < std::abs(b); });
  return fmt::format(
      "the algebraic equations do not determine component {} at the start: the index is probably "
      "above 1, and errors of such components may exceed their tolerances",
      largest - free.begin());
}

std::string find_start(OdeProblem& implicit, double t, double span, std::vector<double>& y,
                       std::vector<double>& yp, const ConsistentStart& options) {
  StartFinder finder(implicit, t, span, options.rtol, options.atol);
  const bool is_known = finder.evaluate(y, yp), is_exact = is_known && finder.is_exact();
  if (is_exact && !options.checks_index) return {};
  if (!is_known || !finder.linearize(y, yp)) refuse_start(t, finder, y, yp);
  const auto given = implicit.algebraic();
  const std::vector<std::uint8_t> algebraic =
      given.empty() ? finder.without_derivatives()
                    : std::vector<std::uint8_t>(given.begin(), given.end());
  const bool has_all = std::ranges::find(algebraic, 1) == algebraic.end();
  const double violation = is_exact ? 0 : finder.violation(y, yp);
  if (violation <= consistent_part) {
    if (!options.checks_index || has_all) return {};
    return index_warning(finder.undetermined(algebraic));
  }
  const std::vector<double> old_y = y, old_yp = yp;
  if (finder.solve(y, yp, algebraic)) return {};
  const std::vector<double> free = finder.free_direction();
  y = old_y, yp = old_yp;
  if (violation <= 1)
    return index_warning(free);  // for a higher index there is no better criterion
  if (options.yp_is_given && given.empty() && has_all && !free.empty() &&
      finder.solve(y, yp, std::vector<std::uint8_t>(y.size(), 1)))
    return {};
  y = old_y, yp = old_yp;
  refuse_start(t, finder, y, yp);
}

}  // namespace

std::string find_consistent_start(OdeProblem& problem, double t, double direction_end,
                                  std::vector<double>& y, std::vector<double>& yp,
                                  const ConsistentStart& options) {
  const double span = span_of(t, direction_end);
  if (problem.form() == OdeForm::implicit) return find_start(problem, t, span, y, yp, options);
  yp.resize(y.size());
  if (problem.form() == OdeForm::explicit_ode) {
    if (!problem.evaluate(t, y, yp) || !are_finite(yp))
      throw OdeFailure(t, "the derivatives cannot be computed or are not finite here");
    return {};
  }
  ImplicitForm form(problem);
  ConsistentStart of_mass_form = options;
  of_mass_form.yp_is_given = false;
  return find_start(form, t, span, y, yp, of_mass_form);
}

std::vector<std::uint8_t> find_algebraic(OdeProblem& implicit, double t, std::span<const double> y,
                                         std::span<const double> yp, double rtol,
                                         std::span<const double> atol) {
  StartFinder finder(implicit, t, 1, rtol, atol);
  if (!finder.evaluate(y, yp) || !finder.linearize(y, yp))
    throw OdeFailure(t, "the equations cannot be computed or are not finite here");
  return finder.without_derivatives();
}

}  // namespace tutti::solvers
