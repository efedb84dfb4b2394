// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tutti/error.hpp>

#include "solvers/ode/components.hpp"
#include "solvers/ode/implicit_options.hpp"
#include "solvers/ode/one_step.hpp"
#include "solvers/ode/predictive_control.hpp"
#include "solvers/ode/rodas_coefficients.hpp"
#include "solvers/ode/stage_equations.hpp"

namespace tutti::solvers {

extern const OptionRow rodas_options[4];
const OptionRow rodas_options[4] = {
    {"fac1", 0.2, "Smallest factor between the sizes of two steps", 1e-3, 0.9},
    {"fac2", 6.0, "Largest factor between the sizes of two steps", 1, 1e3},
    linear_solver_row(),
    {"safe", 0.9, "Safety factor for the next step size", 1e-3, 0.999},
};

namespace {

constexpr int most_rodas_failures = 5;  // singular matrices or Jacobians in a row, as in the code

/// The order conditions hold with the exact J and df/dt only.
void refuse_without_derivatives(const OdeProblem& problem) {
  std::string missing;
  if (!problem.has_exact_jacobian()) missing = "the Jacobian df/dy";
  if (!problem.has_time_derivative())
    missing += missing.empty() ? "the time derivative df/dt" : " and the time derivative df/dt";
  if (problem.form() == OdeForm::mass_matrix && !problem.has_constant_mass())
    missing = "a constant mass matrix";
  if (missing.empty()) return;
  throw Error(ErrorCode::capability,
              fmt::format("solver rodas needs {}, which the problem does not have. A Rosenbrock "
                          "method loses its order without exact derivatives.",
                          missing),
              {.key = "solver.name", .hint = "Use solver \"radau5\" or \"cvode\"."});
}

/// RODAS 4(3), a Rosenbrock method: like an implicit Runge-Kutta method with exactly one Newton
/// iteration per stage, so J and df/dt must be exact. (rodas_coefficients.hpp; step size control as
/// in E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd edition, IV.7, 8.)
class Rodas final : public OneStepIntegrator {
 public:
  Rodas(OdeProblem& problem, const OdeOptions& options);
  int interpolation_degree() const override { return 3; }

 private:
  void begin() override;
  double first_size(double room) override;
  Attempt attempt(double end) override;
  void accept() override;
  void interpolate_at(double theta, double h, std::span<double> y) const override;

  [[noreturn]] void fail_evaluation(double h);
  bool prepare(double h);
  bool compute_stages(double end, double h);
  Attempt judge(double h, double error);
  Attempt reject(Rejection why, double next);

  OptionValues given_;
  PredictiveControl control_;
  StageEquations equations_;
  std::array<std::vector<double>, rodas::stages> u_;
  std::array<std::vector<double>, 2> dense_;
  std::vector<double> time_slope_, sum_, scale_;
  bool is_prepared_ = false;
  int failures_ = 0;
};

Rodas::Rodas(OdeProblem& problem, const OdeOptions& options)
    : OneStepIntegrator(problem, options, 4),
      given_("rodas", rodas_options, options.own),
      control_({.safe = given_.number("safe"),
                .fac1 = given_.number("fac1"),
                .fac2 = given_.number("fac2")}),
      equations_(problem, options.rtol, counts(), linear_solver_storage("rodas", problem, given_)) {
  refuse_without_derivatives(problem);
  for (std::vector<double>& stage : u_) stage.resize(problem.size());
  for (std::vector<double>& part : dense_) part.resize(problem.size());
  for (auto* vector : {&time_slope_, &sum_, &scale_}) vector->resize(problem.size());
}

void Rodas::begin() {
  equations_.forget();
  is_prepared_ = false;
  failures_ = 0;
  control_.restart();
  if (!equations_.start(t(), y())) fail_evaluation(0);
}

double Rodas::first_size(double room) {
  if (!equations_.has_mass()) return usual_first_size(equations_.start_value(), room, 3);
  if (!prepare(1e-6 * std::min(room, 1.0))) fail_evaluation(0);
  std::ranges::fill(sum_, 0.0);
  const std::optional<double> first = equations_.first_size(room, scale_, sum_);
  return std::min({options().first_step > 0 ? options().first_step : first.value_or(room), room,
                   options().max_step});
}

void Rodas::fail_evaluation(double h) {
  note_not_finite(equations_.not_finite());
  fail(h, Rejection::evaluation);
}

/// J and df/dt at t().
bool Rodas::prepare(double h) {
  for (std::size_t i = 0; i < size(); ++i) scale_[i] = tolerance(i, y()[i]);
  if (!equations_.linearize(sum_, h, scale_)) return false;
  return problem().time_derivative(t(), y(), time_slope_) && has_only_finite(time_slope_);
}

OneStepIntegrator::Attempt Rodas::attempt(double end) {
  const double h = end - t();
  if (!is_prepared_) {
    const bool has_start = control_.is_first() || equations_.start(t(), y());
    if (!has_start || !prepare(h)) fail_evaluation(h);
    is_prepared_ = true;
  }
  if (!equations_.factorize(1 / (rodas::gamma * h))) {
    if (++failures_ < most_rodas_failures) return reject(Rejection::convergence, h / 2);
    equations_.fail_singular(h);
  }
  failures_ = 0;
  if (!compute_stages(end, h)) return reject(Rejection::evaluation, h / 2);
  return judge(h, error_norm(u_[rodas::stages - 1]));
}

/// Leaves the solution in y_end().
bool Rodas::compute_stages(double end, double h) {
  const std::size_t n = size();
  std::vector<double>& argument = y_end();
  for (std::size_t s = 0; s < rodas::stages; ++s) {
    std::ranges::copy(y(), argument.begin());
    std::ranges::fill(sum_, 0.0);
    for (std::size_t j = 0; j < s; ++j) {
      const double a = rodas::a[s][j], c = -rodas::c[s][j] / h;
      for (std::size_t i = 0; i < n; ++i) {
        argument[i] += a * u_[j][i];
        sum_[i] += c * u_[j][i];
      }
    }
    const double at = rodas::nodes[s] == 1 ? end : t() + rodas::nodes[s] * h;
    const bool done = s == 0 ? equations_.start_residual(sum_, u_[s])
                             : equations_.residual(at, argument, sum_, u_[s]);
    if (!done) return false;
    const double weight = rodas::time_weights[s] * h;
    if (weight != 0)
      for (std::size_t i = 0; i < n; ++i) u_[s][i] += weight * time_slope_[i];
    equations_.solve(u_[s]);
  }
  for (std::size_t i = 0; i < n; ++i) argument[i] += u_[rodas::stages - 1][i];
  return true;
}

OneStepIntegrator::Attempt Rodas::judge(double h, double error) {
  if (!std::isfinite(error)) return reject(Rejection::evaluation, h / 2);
  if (error > 1) return reject(Rejection::error_test, control_.reduced_size(h, error));
  return {{}, control_.next_size(h, error)};
}

OneStepIntegrator::Attempt Rodas::reject(Rejection why, double next) {
  if (why == Rejection::evaluation) note_not_finite(equations_.not_finite());
  control_.reject();
  return {why, next};
}

void Rodas::accept() {
  for (std::size_t k = 0; k < 2; ++k) {
    const auto& d = rodas::dense[k];
    for (std::size_t i = 0; i < size(); ++i)
      dense_[k][i] =
          d[0] * u_[0][i] + d[1] * u_[1][i] + d[2] * u_[2][i] + d[3] * u_[3][i] + d[4] * u_[4][i];
  }
  control_.accept();
  is_prepared_ = false;
}

void Rodas::interpolate_at(double x, double, std::span<double> y_out) const {
  for (std::size_t i = 0; i < y_out.size(); ++i)
    y_out[i] = (1 - x) * y_start()[i] + x * (y()[i] + (1 - x) * (dense_[0][i] + x * dense_[1][i]));
}

}  // namespace

std::unique_ptr<OdeIntegrator> make_rodas(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<Rodas>(problem, options);
}

}  // namespace tutti::solvers
