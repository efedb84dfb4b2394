// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/stage_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solvers/ode/components.hpp"

namespace tutti::solvers {
namespace {

constexpr double stage_roundoff = std::numeric_limits<double>::epsilon();

MatrixShape mass_shape_of(const OdeProblem& problem) {
  if (problem.form() == OdeForm::mass_matrix) return MatrixShape::stored(problem.mass_pattern());
  // dF/dy' may differ from zero wherever the Jacobian may.
  if (problem.form() == OdeForm::implicit) return MatrixShape::stored(problem.jacobian_pattern());
  return {};
}

}  // namespace

StageEquations::StageEquations(OdeProblem& problem, double rtol, OdeStatistics& counts,
                               Storage storage)
    : problem_(problem),
      counts_(counts),
      rtol_(rtol),
      form_(problem.form()),
      has_constant_mass_(form_ != OdeForm::mass_matrix || problem.has_constant_mass()),
      mass_shape_(mass_shape_of(problem)),
      jacobian_shape_(MatrixShape::stored(problem.jacobian_pattern())),
      pencil_(problem.size(), mass_shape_, jacobian_shape_, storage),
      jacobian_(problem),
      real_(problem.size(), pencil_.pattern()),
      f_(problem.size()),
      mass_(mass_shape_.value_count(problem.size())),
      j_values_(jacobian_.value_count()),
      increments_(problem.size()),
      scratch_(problem.size()) {
  if (form_ == OdeForm::implicit) more_.resize(j_values_.size());
  if (has_constant_mass_) return;
  stage_mass_.resize(mass_.size());
  more_.resize(j_values_.size());
  frozen_jacobian_.emplace(frozen_.emplace(problem));
}

std::uint64_t StageEquations::jacobian_evaluations() const {
  const bool counts_f = frozen_ && frozen_->includes_f();
  return jacobian_.evaluations() + (counts_f ? frozen_jacobian_->evaluations() : 0);
}

bool StageEquations::are_finite(View values) {
  not_finite_ = first_not_finite(values);
  return !not_finite_;
}

bool StageEquations::start(double t, View y) {
  const bool needs_mass =
      form_ == OdeForm::mass_matrix && (!has_constant_mass_ || y_.data() == nullptr);
  t_ = t;
  y_ = y;
  if (form_ == OdeForm::implicit) return true;
  ++counts_.evaluations;
  if (!problem_.evaluate(t, y, f_) || !are_finite(f_)) return false;
  return !needs_mass || (problem_.mass(t, y, mass_) && has_only_finite(mass_));
}

bool StageEquations::residual(double t, View y, View v, std::span<double> r) {
  ++counts_.evaluations;
  if (form_ == OdeForm::implicit) {
    if (!problem_.residual(t, y, v, r)) return false;
    for (double& element : r) element = -element;
    return are_finite(r);
  }
  if (!problem_.evaluate(t, y, r)) return false;
  if (!has_constant_mass_ && !problem_.mass(t, y, stage_mass_)) return false;
  subtract_product(mass_shape_, has_constant_mass_ ? mass_ : stage_mass_, v, r);
  return are_finite(r);
}

bool StageEquations::start_residual(View v, std::span<double> r) {
  if (form_ == OdeForm::implicit) return residual(t_, y_, v, r);
  std::ranges::copy(f_, r.begin());
  subtract_product(mass_shape_, mass_, v, r);
  return true;
}

void StageEquations::times_mass(View x, std::span<double> result) const {
  std::ranges::fill(result, 0.0);
  subtract_product(mass_shape_, mass_, x, result);
  for (double& element : result) element = -element;
}

/// The scale of a component: |y| + atol / rtol. An increment of sqrt(unit roundoff) times this is
/// significant in algebraic equations, too, where other terms of size 1 do not cancel.
void StageEquations::choose_increments(View tolerances) {
  constexpr double least_rtol = 1e-8;  // below, atol alone applies
  for (std::size_t j = 0; j < tolerances.size(); ++j)
    increments_[j] = std::sqrt(stage_roundoff) * tolerances[j] / std::max(rtol_, least_rtol);
}

/// The same for y': the average rate of the components, at most once per step.
void StageEquations::choose_slope_increments(View v, double h) {
  double sum = 0;
  for (std::size_t j = 0; j < v.size(); ++j)
    sum += (v[j] / increments_[j]) * (v[j] / increments_[j]);
  const double rate = std::sqrt(stage_roundoff) * std::sqrt(sum / static_cast<double>(v.size()));
  const double most = 1 / std::abs(h);
  for (double& increment : increments_) increment *= rate > 0 ? std::min(rate, most) : most;
}

bool StageEquations::linearize(View v, double h, View tolerances) {
  choose_increments(tolerances);
  ++counts_.jacobians;
  const bool done = form_ == OdeForm::implicit ? linearize_implicit(v, h)
                    : has_constant_mass_ ? jacobian_.evaluate(t_, y_, f_, increments_, j_values_)
                                         : linearize_mass(v);
  counts_.jacobian_evaluations = jacobian_evaluations();
  return done && has_only_finite(j_values_) && has_only_finite(mass_);
}

bool StageEquations::linearize_implicit(View v, double h) {
  if (problem_.has_jacobian()) {
    // Of the size of the matrix of a step, so that the difference loses few digits.
    const double c = 1 / h;
    if (!problem_.residual_jacobian(t_, y_, v, 0, j_values_) ||
        !problem_.residual_jacobian(t_, y_, v, c, more_))
      return false;
    for (std::size_t k = 0; k < more_.size(); ++k) {
      mass_[k] = (more_[k] - j_values_[k]) / c;
      j_values_[k] = -j_values_[k];
    }
    return true;
  }
  ++counts_.evaluations;
  if (!problem_.residual(t_, y_, v, f_) ||
      !jacobian_.evaluate(t_, y_, v, 0, f_, increments_, j_values_))
    return false;
  for (double& value : j_values_) value = -value;
  choose_slope_increments(v, h);
  return jacobian_.evaluate_slopes(t_, y_, v, f_, increments_, mass_);
}

bool StageEquations::linearize_mass(View v) {
  frozen_->v.assign(v.begin(), v.end());
  std::ranges::copy(f_, scratch_.begin());
  if (!frozen_->includes_f()) std::ranges::fill(scratch_, 0.0);
  subtract_product(mass_shape_, mass_, v, scratch_);
  if (!frozen_jacobian_->evaluate(t_, y_, scratch_, increments_, more_)) return false;
  if (frozen_->includes_f()) {
    j_values_.swap(more_);
    return true;
  }
  if (!jacobian_.evaluate(t_, y_, f_, increments_, j_values_)) return false;
  for (std::size_t k = 0; k < more_.size(); ++k) j_values_[k] += more_[k];
  return true;
}

std::optional<double> StageEquations::first_size(double room, View tolerances,
                                                 std::span<double> slope) {
  // RADAU5 starts with 1e-6 too; a step of implicit Euler of this size approximates y'.
  const double probe = 1e-6 * std::min(room, 1.0);
  if (!linearize(slope, probe, tolerances)) return {};
  const bool is_known = std::ranges::any_of(slope, [](double x) { return x != 0; });
  if (!is_known) {
    if (!factorize(1 / probe) || !start_residual(slope, scratch_)) return probe;
    solve(scratch_);
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = scratch_[i] / probe;
  }
  double states = 0, slopes = 0;
  for (std::size_t i = 0; i < slope.size(); ++i) {
    states += (y_[i] / tolerances[i]) * (y_[i] / tolerances[i]);
    slopes += (slope[i] / tolerances[i]) * (slope[i] / tolerances[i]);
  }
  const double size = 0.01 * std::sqrt(states / slopes);
  return std::isfinite(size) && size > probe ? std::min(size, 0.01 * room) : probe;
}

void StageEquations::fail_singular(double h) const {
  const char* const why = has_mass() ? ": the algebraic block seems singular (index above 1)" : "";
  OdeFailure failure(
      t_,
      fmt::format("the matrix of its linear systems is singular, even with h = {:.3g} s{}", h, why),
      has_mass() ? "Check that the algebraic equations determine the algebraic components, or "
                   "reduce the index."
                 : "");
  failure.worst_state = singular_component_;
  throw failure;
}

bool StageEquations::factorize(double c) {
  ++counts_.factorizations;
  pencil_.fill(c, mass_, j_values_, real_.values());
  if (real_.factorize()) return true;
  singular_component_ = real_.singular_column();
  return false;
}

bool StageEquations::factorize(std::complex<double> c) {
  if (!complex_) complex_.emplace(f_.size(), pencil_.pattern());
  ++counts_.factorizations;
  pencil_.fill(c, mass_, j_values_, complex_->values());
  if (complex_->factorize()) return true;
  singular_component_ = complex_->singular_column();
  return false;
}

StageEquations::WithFrozenSlope::WithFrozenSlope(OdeProblem& problem)
    : problem_(problem),
      includes_f_(!problem.has_exact_jacobian()),
      mass_(mass_shape_of(problem).value_count(problem.size())) {}

bool StageEquations::WithFrozenSlope::evaluate(double t, View y, std::span<double> f) {
  std::ranges::fill(f, 0.0);
  if (includes_f_ && !problem_.evaluate(t, y, f)) return false;
  if (!problem_.mass(t, y, mass_)) return false;
  subtract_product(mass_shape_of(problem_), mass_, v, f);
  return true;
}

}  // namespace tutti::solvers
