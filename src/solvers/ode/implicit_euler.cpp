// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "solvers/ode/implicit_options.hpp"
#include "solvers/ode/one_step.hpp"
#include "solvers/ode/stage_equations.hpp"

namespace tutti::solvers {

extern const OptionRow implicit_euler_options[3];
const OptionRow implicit_euler_options[3] = {
    {"h", 0.01, "Step size", 1e-300, 1e300},
    linear_solver_row(),
    {"newt", std::int64_t{7}, "Maximum number of Newton iterations per step", 1, 100},
};

namespace {

constexpr double slow_convergence = 0.1;  // the Jacobian is evaluated again for the next step
// Newton stops where its error is this part of the tolerances: it must be small against the error
// of the method.
constexpr double newton_part = 0.1;
constexpr int most_singular_matrices = 5;  // in a row
constexpr double same_euler_size = 1e-6;   // factors of one size are used for the other

/// Implicit Euler, order 1, L-stable: r(t + h, y + z, z / h) = 0 by simplified Newton iteration,
/// with steps of constant size, shorter only before a limit and where Newton does not converge.
/// The line through both ends of a step is the dense output.
class ImplicitEuler final : public OneStepIntegrator {
 public:
  ImplicitEuler(OdeProblem& problem, const OdeOptions& options);
  int interpolation_degree() const override { return 1; }
  void interpolate_derivative(double t, std::span<double> yp) override;

 private:
  void begin() override;
  double first_size(double room) override { return std::min(h_, room); }
  Attempt attempt(double end) override;
  void accept() override;
  void interpolate_at(double theta, double h, std::span<double> y) const override;

  bool prepare(double h);
  std::optional<Rejection> solve_step(double end, double h);
  double add_correction();

  OptionValues given_;
  double h_;
  int most_iterations_;
  StageEquations equations_;
  std::vector<double> slope_, z_, v_, r_, scale_;
  bool is_jacobian_here_ = false, is_jacobian_good_ = false;
  double factorized_ = 0;
  double rate_ = 0, tried_h_ = 0;
  int singular_count_ = 0;
};

ImplicitEuler::ImplicitEuler(OdeProblem& problem, const OdeOptions& options)
    : OneStepIntegrator(problem, options, 1),
      given_("implicit-euler", implicit_euler_options, options.own),
      h_(given_.number("h")),
      most_iterations_(given_.integer("newt")),
      equations_(problem, options.rtol, counts(),
                 linear_solver_storage("implicit-euler", problem, given_)) {
  for (auto* vector : {&slope_, &z_, &v_, &r_, &scale_}) vector->resize(problem.size());
}

void ImplicitEuler::begin() {
  equations_.forget();
  is_jacobian_here_ = is_jacobian_good_ = false;
  factorized_ = 0;
  singular_count_ = 0;
  const std::span<const double> given = start_slope();
  std::ranges::fill(slope_, 0.0);
  std::ranges::copy(given, slope_.begin());
}

OneStepIntegrator::Attempt ImplicitEuler::attempt(double end) {
  const double h = end - t();
  for (std::size_t i = 0; i < size(); ++i) scale_[i] = tolerance(i, y()[i]);
  const bool uses_old = is_jacobian_good_ && !is_jacobian_here_;
  if (!prepare(h)) {
    if (++singular_count_ >= most_singular_matrices) equations_.fail_singular(h);
    return {Rejection::convergence, h / 2};
  }
  singular_count_ = 0;
  std::optional<Rejection> failed = solve_step(end, h);
  if (failed && uses_old) {  // the same step with a new Jacobian
    is_jacobian_good_ = false;
    if (!prepare(h)) return {Rejection::convergence, h / 2};
    failed = solve_step(end, h);
  }
  if (failed) {
    note_not_finite(equations_.not_finite());
    return {failed, h / 2};
  }
  tried_h_ = h;
  return {{}, std::max(h_, h)};
}

/// False: the matrix is singular.
bool ImplicitEuler::prepare(double h) {
  if (!is_jacobian_good_) {
    if (!equations_.start(t(), y()) || !equations_.linearize(slope_, h, scale_)) {
      note_not_finite(equations_.not_finite());
      fail(h, Rejection::evaluation);
    }
    is_jacobian_here_ = is_jacobian_good_ = true;
    factorized_ = 0;
  }
  if (std::abs(h - factorized_) <= same_euler_size * h) return true;
  factorized_ = 0;
  if (!equations_.factorize(1 / h)) return false;
  factorized_ = h;
  return true;
}

std::optional<Rejection> ImplicitEuler::solve_step(double end, double h) {
  for (std::size_t i = 0; i < size(); ++i) z_[i] = h * slope_[i];
  double last = 0;
  rate_ = 0;
  for (int k = 1; k <= most_iterations_; ++k) {
    ++counts().newton_iterations;
    for (std::size_t i = 0; i < size(); ++i) {
      y_end()[i] = y()[i] + z_[i];
      v_[i] = z_[i] / h;
    }
    if (!equations_.residual(end, y_end(), v_, r_)) return Rejection::evaluation;
    const double norm = add_correction();
    if (!std::isfinite(norm)) return Rejection::convergence;
    if (k > 1) rate_ = norm / last;
    if (rate_ >= 1) return Rejection::convergence;
    // The first correction gives no rate, unless it is zero.
    const double left = k > 1 ? norm * rate_ / (1 - rate_) : norm;
    if (left <= newton_part) return {};
    last = norm;
  }
  return Rejection::convergence;
}

/// Returns its norm against the tolerances.
double ImplicitEuler::add_correction() {
  equations_.solve(r_);
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    z_[i] += r_[i];
    y_end()[i] = y()[i] + z_[i];
    sum += (r_[i] / scale_[i]) * (r_[i] / scale_[i]);
  }
  return std::sqrt(sum / static_cast<double>(size()));
}

void ImplicitEuler::accept() {
  for (std::size_t i = 0; i < size(); ++i) slope_[i] = z_[i] / tried_h_;
  is_jacobian_here_ = false;
  is_jacobian_good_ = rate_ <= slow_convergence;
}

void ImplicitEuler::interpolate_at(double theta, double, std::span<double> y_out) const {
  for (std::size_t i = 0; i < y_out.size(); ++i)
    y_out[i] = (1 - theta) * y_start()[i] + theta * y()[i];
}

void ImplicitEuler::interpolate_derivative(double, std::span<double> yp) {
  std::ranges::copy(slope_, yp.begin());
}

}  // namespace

std::unique_ptr<OdeIntegrator> make_implicit_euler(OdeProblem& problem, const OdeOptions& options) {
  refuse_first_step("implicit-euler", options.first_step);
  return std::make_unique<ImplicitEuler>(problem, options);
}

}  // namespace tutti::solvers
