// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/ode/components.hpp"
#include "solvers/ode/sundials.hpp"

namespace tutti::solvers::sundials {

std::span<const double> Integrator::least_increments(N_Vector f, N_Vector yp, N_Vector scratch) {
  double h = 0;
  check(library_.get_current_step(memory_, &h));
  check(library_.get_weights(memory_, scratch));
  const std::span<double> weights = view(scratch);
  if (yp != nullptr) {
    // IDA has sqrt(roundoff) instead of 0.01, which is below the rounding errors of F where y = y'
    // = 0 and the tolerance is small.
    const double root = std::sqrt(unit_roundoff);
    const std::span<double> slopes = view(yp);
    for (std::size_t j = 0; j < weights.size(); ++j)
      least_increment_[j] = std::max(root * std::abs(h * slopes[j]), 0.01 / weights[j]);
    return least_increment_;
  }
  const double norm = N_VWrmsNorm(f, scratch);
  const double least =
      norm > 0 ? 1000 * std::abs(h) * unit_roundoff * static_cast<double>(problem_.size()) * norm
               : 1;
  for (std::size_t j = 0; j < weights.size(); ++j) least_increment_[j] = least / weights[j];
  return least_increment_;
}

int Integrator::on_evaluate(double t, N_Vector y, N_Vector f, void* self) {
  auto& me = *static_cast<Integrator*>(self);
  return me.counting_refusals(me.guarded([&] {
    return me.problem_.evaluate(me.time(t), view(y), view(f)) && has_only_finite(view(f));
  }));
}

// The libraries cannot reduce the step here, so a point that cannot be computed ends the
// integration.
int Integrator::on_roots(double t, N_Vector y, double* g, void* self) {
  auto& me = *static_cast<Integrator*>(self);
  return me.guarded([&] { return me.evaluate_roots(t, y, nullptr, g); });
}

// As in RootLocator zero counts as non-positive, where the libraries assign it to neither side and
// report every touch; but a function that is zero at the start is inactive, as in the libraries.
// They use the sign of products of two values, so that value must not be too small.
bool Integrator::evaluate_roots(double t, N_Vector y, N_Vector yp, double* g) {
  const std::span<double> values(g, problem_.root_count());
  const std::span<const double> slopes = yp == nullptr ? std::span<const double>() : view(yp);
  if (!problem_.evaluate_roots(time(t), view(y), slopes, values) ||
      std::ranges::any_of(values, [](double value) { return std::isnan(value); }))
    return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0)
      has_left_zero_[i] = 1;
    else if (has_left_zero_[i] != 0)
      values[i] = -std::sqrt(std::numeric_limits<double>::min());
  }
  return true;
}

int Integrator::on_jacobian(double t, N_Vector y, N_Vector f, SUNMatrix matrix, void* self,
                            N_Vector scratch, N_Vector, N_Vector) {
  auto& me = *static_cast<Integrator*>(self);
  return me.guarded([&] {
    const std::span<const double> increments = me.least_increments(f, nullptr, scratch);
    return me.newton_->fill(matrix, [&](Jacobian& jacobian, std::span<double> values) {
      return jacobian.evaluate(me.time(t), view(y), view(f), increments, values) &&
             has_only_finite(values);
    });
  });
}

int Integrator::on_product(N_Vector v, N_Vector result, double t, N_Vector y, N_Vector, void* self,
                           N_Vector) {
  auto& me = *static_cast<Integrator*>(self);
  return me.guarded(
      [&] { return me.problem_.differentiate(me.time(t), view(y), view(v), view(result)); });
}

int Integrator::on_prepare(double t, N_Vector y, N_Vector, int, int* is_new, double gamma,
                           void* self) {
  auto& me = *static_cast<Integrator*>(self);
  *is_new = 1;
  return me.guarded([&] { return me.problem_.prepare_preconditioner(me.time(t), view(y), gamma); });
}

int Integrator::on_precondition(double, N_Vector, N_Vector, N_Vector r, N_Vector z, double, double,
                                int, void* self) {
  auto& me = *static_cast<Integrator*>(self);
  return me.guarded([&] { return me.problem_.precondition(view(r), view(z)); });
}

}  // namespace tutti::solvers::sundials
