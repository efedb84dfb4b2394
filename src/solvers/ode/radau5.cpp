// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/ode/one_step.hpp"
#include "solvers/ode/predictive_control.hpp"
#include "solvers/ode/radau_coefficients.hpp"
#include "solvers/ode/radau_settings.hpp"
#include "solvers/ode/stage_equations.hpp"

namespace tutti::solvers {

namespace {

constexpr double radau_roundoff = std::numeric_limits<double>::epsilon();
constexpr int most_setup_failures = 5;  // of Jacobian and factors in a row, as in RADAU5
constexpr double most_roundoffs = 100 * radau_roundoff;  // of the time: too small for a step
// Factors of a step size that differs by less are reused: this hardly affects Newton's convergence.
constexpr double same_size = 1e-6;

/// Radau IIA with 3 stages, order 5 (stiffly accurate, L-stable): a polynomial of degree 3 solves
/// r(t, y, y') = 0 (StageEquations) at the nodes. Simplified Newton iteration, error estimate of
/// order 3, predictive step size control, and when to keep Jacobian and factors as in E. Hairer,
/// G. Wanner, Solving Ordinary Differential Equations II, 2nd edition, IV.8 and their code RADAU5;
/// but tolerances are used unchanged, where RADAU5 uses 0.1 rtol^(2/3).
///
/// Notation: z_i = y(t + c_i h) - y(t); w: z in the eigenvectors of the method's matrix, in which
/// Newton's method solves a real and a complex system; theta rate of convergence.
class Radau5 final : public OneStepIntegrator {
 public:
  Radau5(OdeProblem& problem, const OdeOptions& options);
  int interpolation_degree() const override { return 3; }
  void interpolate_derivative(double t, std::span<double> yp) override;

 private:
  using Stages = std::array<std::vector<double>, 3>;
  struct Newton {
    std::optional<Rejection> failed;
    double factor = 0.5;  ///< for the size of the next attempt
    int iterations = 0;
  };

  void begin() override;
  double first_size(double room) override;
  Attempt attempt(double end) override;
  void accept() override;
  void interpolate_at(double theta, double h, std::span<double> y) const override;

  [[noreturn]] void fail_evaluation(double h);
  bool factorize(double h);
  void choose_scales(double h);
  void predict(double h);
  Newton solve_stages(double end, double h);
  bool evaluate_stages(double end, double h);
  double solve_modes();
  void add_correction();
  double estimate_error(double h);
  double norm_of_error();
  Attempt judge(double h, double error, int iterations);
  Attempt reject(double h, Rejection why, double next);

  RadauSettings settings_;
  PredictiveControl control_;
  StageEquations equations_;
  Stages z_, w_, r_;
  Stages dense_;  ///< divided differences of the last step
  std::vector<std::complex<double>> pair_;
  std::vector<double> slope_;  ///< y' at t(), as far as it is known
  std::vector<double> v_, stage_, scale_, weight_, error_;
  bool is_start_known_ = false;    ///< the equations are at t()...
  bool is_jacobian_here_ = false;  ///< ...and the Jacobian is from there
  bool is_jacobian_good_ = false;  ///< Newton converges fast with it
  double factorized_ = 0;          ///< the size of the factors of this Jacobian; 0: none
  double theta_ = 0, convergence_ = 1;
  double last_start_ = 0, last_h_ = 0;
  double largest_h_ = 0;  ///< tried since the start
  int setup_failures_ = 0;
};

Radau5::Radau5(OdeProblem& problem, const OdeOptions& options)
    : OneStepIntegrator(problem, options, 5),
      settings_(problem, options),
      control_({.safe = settings_.safe, .fac1 = settings_.fac1, .fac2 = settings_.fac2}),
      equations_(problem, options.rtol, counts(), settings_.storage),
      pair_(problem.size()) {
  for (Stages* stages : {&z_, &w_, &r_, &dense_})
    for (std::vector<double>& stage : *stages) stage.resize(problem.size());
  for (auto* vector : {&slope_, &v_, &stage_, &scale_, &weight_, &error_})
    vector->resize(problem.size());
}

void Radau5::begin() {
  equations_.forget();
  control_.restart();
  is_start_known_ = is_jacobian_here_ = is_jacobian_good_ = false;
  factorized_ = largest_h_ = 0;
  convergence_ = 1;
  setup_failures_ = 0;
  const std::span<const double> given = start_slope();
  std::ranges::fill(slope_, 0.0);
  std::ranges::copy(given, slope_.begin());
}

double Radau5::first_size(double room) {
  if (!equations_.start(t(), y())) fail_evaluation(0);
  is_start_known_ = true;
  if (!equations_.has_mass()) {
    std::ranges::copy(equations_.start_value(), slope_.begin());
    return usual_first_size(equations_.start_value(), room, 3);  // the order of the estimate
  }
  choose_scales(0);
  const std::optional<double> first = equations_.first_size(room, scale_, slope_);
  if (!first) fail_evaluation(0);
  is_jacobian_here_ = true;
  return std::min(
      {options().first_step > 0 ? options().first_step : *first, room, options().max_step});
}

OneStepIntegrator::Attempt Radau5::attempt(double end) {
  const double h = end - t();
  largest_h_ = std::max(largest_h_, h);
  if (!is_start_known_ && !equations_.start(t(), y())) fail_evaluation(h);
  is_start_known_ = true;
  choose_scales(h);
  if (!is_jacobian_here_ && !is_jacobian_good_) {
    if (!equations_.linearize(slope_, h, scale_)) {
      if (++setup_failures_ >= most_setup_failures) fail_evaluation(h);
      return reject(h, Rejection::evaluation, h / 2);
    }
    is_jacobian_here_ = true;
    factorized_ = 0;
  }
  if (!(std::abs(h - factorized_) <= same_size * h) && !factorize(h)) {
    if (++setup_failures_ >= most_setup_failures) equations_.fail_singular(h);
    return reject(h, Rejection::convergence, h / 2);
  }
  setup_failures_ = 0;
  predict(h);
  const Newton newton = solve_stages(end, h);
  if (newton.failed) return reject(h, *newton.failed, newton.factor * h);
  return judge(h, estimate_error(h), newton.iterations);
}

void Radau5::fail_evaluation(double h) {
  note_not_finite(equations_.not_finite());
  fail(h, Rejection::evaluation);
}

bool Radau5::factorize(double h) {
  factorized_ = 0;
  if (!equations_.factorize(radau::gamma / h) ||
      !equations_.factorize(std::complex(radau::alpha, radau::beta) / h))
    return false;
  factorized_ = h;
  return true;
}

/// The tolerances at y(t). Those of a component of index k matter times h^(k-1) only (VII.4).
void Radau5::choose_scales(double h) {
  const std::size_t n = size(), index3 = n - settings_.index3, index2 = index3 - settings_.index2;
  for (std::size_t i = 0; i < n; ++i) {
    scale_[i] = tolerance(i, y()[i]);
    weight_[i] = i < index2 ? 1 : i < index3 ? h : h * h;
  }
}

/// Newton starts from the polynomial of the last step.
void Radau5::predict(double h) {
  if (control_.is_first()) {
    for (Stages* stages : {&z_, &w_})
      for (std::vector<double>& stage : *stages) std::ranges::fill(stage, 0.0);
    return;
  }
  const double ratio = h / last_h_, c1 = radau::nodes[0] - 1, c2 = radau::nodes[1] - 1;
  for (std::size_t s = 0; s < 3; ++s) {
    const double x = radau::nodes[s] * ratio;
    for (std::size_t i = 0; i < size(); ++i)
      z_[s][i] = x * (dense_[0][i] + (x - c2) * (dense_[1][i] + (x - c1) * dense_[2][i]));
  }
  for (std::size_t s = 0; s < 3; ++s) {
    const radau::Row& row = radau::to_modes[s];
    for (std::size_t i = 0; i < size(); ++i)
      w_[s][i] = row[0] * z_[0][i] + row[1] * z_[1][i] + row[2] * z_[2][i];
  }
}

Radau5::Newton Radau5::solve_stages(double end, double h) {
  const int most = settings_.newt;
  convergence_ = std::pow(std::max(convergence_, radau_roundoff), 0.8);
  theta_ = settings_.thet;
  double last_norm = 0, last_rate = 0;
  for (int k = 1; k <= most; ++k) {
    ++counts().newton_iterations;
    if (!evaluate_stages(end, h)) return {Rejection::evaluation, 0.5, k};
    const double norm = solve_modes();
    if (!std::isfinite(norm)) return {Rejection::convergence, 0.5, k};
    if (k > 1 && k < most) {
      const double rate = norm / last_norm;
      theta_ = k == 2 ? rate : std::sqrt(rate * last_rate);
      last_rate = rate;
      if (!(theta_ < 0.99)) return {Rejection::convergence, 0.5, k};
      convergence_ = theta_ / (1 - theta_);
      // The expected error after the last iteration (IV.8, equation 8.12).
      const double rest = most - 1 - k;
      const double left = convergence_ * norm * std::pow(theta_, rest) / settings_.fnewt;
      if (left >= 1) {
        const double excess = std::clamp(left, 1e-4, 20.0);
        return {Rejection::convergence, 0.8 * std::pow(excess, -1 / (4 + rest)), k};
      }
    }
    last_norm = std::max(norm, radau_roundoff);
    add_correction();
    if (convergence_ * norm <= settings_.fnewt) return {{}, 1, k};
  }
  return {Rejection::convergence, 0.5, most};
}

/// The residuals of the stages, in modes.
bool Radau5::evaluate_stages(double end, double h) {
  const std::size_t n = size();
  for (std::size_t s = 0; s < 3; ++s) {
    const radau::Row& row = radau::slopes[s];
    for (std::size_t i = 0; i < n; ++i) {
      stage_[i] = y()[i] + z_[s][i];
      v_[i] = (row[0] * z_[0][i] + row[1] * z_[1][i] + row[2] * z_[2][i]) / h;
    }
    const double at = radau::nodes[s] == 1 ? end : t() + radau::nodes[s] * h;
    if (!equations_.residual(at, stage_, v_, r_[s])) return false;
  }
  const radau::Matrix& m = radau::to_modes;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = r_[0][i], b = r_[1][i], c = r_[2][i];
    r_[0][i] = m[0][0] * a + m[0][1] * b + m[0][2] * c;
    pair_[i] = {m[1][0] * a + m[1][1] * b + m[1][2] * c, m[2][0] * a + m[2][1] * b + m[2][2] * c};
  }
  return true;
}

/// The corrections of the modes; returns their norm.
double Radau5::solve_modes() {
  equations_.solve(r_[0]);
  equations_.solve(pair_);
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const double factor = weight_[i] / scale_[i];
    const double a = r_[0][i] * factor;
    sum += a * a + std::norm(pair_[i] * factor);
  }
  return std::sqrt(sum / static_cast<double>(3 * size()));
}

void Radau5::add_correction() {
  const radau::Matrix& m = radau::from_modes;
  for (std::size_t i = 0; i < size(); ++i) {
    const double a = w_[0][i] += r_[0][i];
    const double b = w_[1][i] += pair_[i].real();
    const double c = w_[2][i] += pair_[i].imag();
    for (std::size_t s = 0; s < 3; ++s) z_[s][i] = m[s][0] * a + m[s][1] * b + m[s][2] * c;
  }
}

/// Solves (gamma/h M - J) error = r(t, y, -e z / h), which is f + M e z / h (IV.8, equation 8.19).
double Radau5::estimate_error(double h) {
  const radau::Row& e = radau::error_weights;
  for (std::size_t i = 0; i < size(); ++i) {
    v_[i] = -(e[0] * z_[0][i] + e[1] * z_[1][i] + e[2] * z_[2][i]) / h;
    y_end()[i] = y()[i] + z_[2][i];
  }
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (!equations_.start_residual(v_, error_)) return unknown;
  equations_.solve(error_);
  double norm = norm_of_error();
  if (norm < 1 || !(control_.is_first() || control_.was_rejected())) return norm;
  // Bounded for stiff components only after a second filtering (equation 8.20).
  for (std::size_t i = 0; i < size(); ++i) stage_[i] = y()[i] + error_[i];
  if (!equations_.residual(t(), stage_, v_, error_)) return norm;
  equations_.solve(error_);
  return norm_of_error();
}

double Radau5::norm_of_error() {
  for (std::size_t i = 0; i < size(); ++i) stage_[i] = error_[i] * weight_[i];
  return std::max(error_norm(stage_), 1e-10);
}

/// The next size by the error and the iterations (IV.8).
OneStepIntegrator::Attempt Radau5::judge(double h, double error, int iterations) {
  const RadauSettings& s = settings_;
  if (!std::isfinite(error)) return reject(h, Rejection::evaluation, h / 2);
  const double effort = std::min(1.0, (1 + 2.0 * s.newt) / (iterations + 2.0 * s.newt));
  if (!(error < 1))
    return reject(h, Rejection::error_test,
                  control_.is_first() ? 0.1 * h : control_.reduced_size(h, error, effort));
  const double next = control_.next_size(h, error, effort);
  const bool keeps = theta_ <= s.thet && next >= s.quot1 * h && next <= s.quot2 * h;
  return {{}, keeps ? h : next};
}

OneStepIntegrator::Attempt Radau5::reject(double h, Rejection why, double next) {
  if (equations_.has_mass() && why == Rejection::convergence &&
      next <= most_roundoffs * std::max(std::abs(t()), largest_h_))
    throw OdeFailure(t(), fmt::format("its iteration does not converge even at h = {:.3g} s", h),
                     "The index may be above 1: see the options index2 and index3, or check the "
                     "equations.");
  if (why == Rejection::evaluation) note_not_finite(equations_.not_finite());
  control_.reject();
  is_jacobian_good_ = is_jacobian_here_;
  return {why, next};
}

void Radau5::accept() {
  const double c1 = radau::nodes[0], c2 = radau::nodes[1];
  control_.accept();
  last_start_ = t();
  last_h_ = control_.tried_size();
  for (std::size_t i = 0; i < size(); ++i) {
    const double z1 = z_[0][i], z2 = z_[1][i], z3 = z_[2][i];
    const double upper = (z2 - z3) / (c2 - 1), middle = (z1 - z2) / (c1 - c2);
    dense_[0][i] = upper;
    dense_[1][i] = (middle - upper) / (c1 - 1);
    dense_[2][i] = dense_[1][i] - (middle - z1 / c1) / c2;
    const radau::Row& row = radau::slopes[2];
    slope_[i] = (row[0] * z1 + row[1] * z2 + row[2] * z3) / last_h_;
  }
  is_start_known_ = is_jacobian_here_ = false;
  is_jacobian_good_ = theta_ <= settings_.thet;
}

void Radau5::interpolate_at(double theta, double, std::span<double> y_out) const {
  const double x = theta - 1, c1 = radau::nodes[0] - 1, c2 = radau::nodes[1] - 1;
  for (std::size_t i = 0; i < y_out.size(); ++i)
    y_out[i] = y()[i] + x * (dense_[0][i] + (x - c2) * (dense_[1][i] + (x - c1) * dense_[2][i]));
}

void Radau5::interpolate_derivative(double t_out, std::span<double> yp) {
  if (control_.is_first()) {
    std::ranges::copy(slope_, yp.begin());
    return;
  }
  const double x = (t_out - last_start_) / last_h_ - 1;
  const double c1 = radau::nodes[0] - 1, c2 = radau::nodes[1] - 1;
  for (std::size_t i = 0; i < yp.size(); ++i)
    yp[i] = (dense_[0][i] + (2 * x - c2) * dense_[1][i] +
             (x * (x - c1) + (x - c2) * (2 * x - c1)) * dense_[2][i]) /
            last_h_;
}

}  // namespace

std::unique_ptr<OdeIntegrator> make_radau5(OdeProblem& problem, const OdeOptions& options) {
  return std::make_unique<Radau5>(problem, options);
}

}  // namespace tutti::solvers
