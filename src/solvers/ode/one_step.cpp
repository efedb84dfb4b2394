// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/one_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solvers/ode/components.hpp"

namespace tutti::solvers {
namespace {

constexpr double unit_roundoff = std::numeric_limits<double>::epsilon();

}  // namespace

OneStepIntegrator::OneStepIntegrator(OdeProblem& problem, const OdeOptions& options, int order)
    : problem_(problem),
      options_(options),
      order_(order),
      locator_(problem),
      solution_([this](double t, std::span<double> y, std::span<double> yp) {
        interpolate(t, y);
        if (!yp.empty()) interpolate_derivative(t, yp);
      }),
      y_(problem.size()),
      y_end_(problem.size()) {
  errors_.reserve(problem.size());  // so that steps do not allocate
}

void OneStepIntegrator::set_atol(std::span<const double> atol) {
  options_.atol.assign(atol.begin(), atol.end());
}

OdeStatistics OneStepIntegrator::statistics() const {
  OdeStatistics statistics = statistics_;
  statistics.root_evaluations = locator_.evaluations();
  return statistics;
}

void OneStepIntegrator::start(double t, std::span<const double> y, std::span<const double> yp) {
  start_ = t_ = shown_ = t;
  std::ranges::copy(y, y_.begin());
  next_size_ = 0;
  errors_.clear();
  ++statistics_.starts;
  start_slope_ = yp;
  begin();
  start_slope_ = {};
  if (locator_.is_needed()) locator_.start(t, y_, yp);
}

OdeIntegrator::Step OneStepIntegrator::step(double limit) {
  if (shown_ < t_) return until(std::min(limit, t_));  // the rest of a step, after a root
  const double usual = next_size_ > 0 ? next_size_ : first_size(limit - t_);
  const double least = least_size();
  // Without this, a method that does not reject would continue with steps of the size of rounding
  // errors.
  if (next_size_ > 0 && next_size_ < least) fail(next_size_, Rejection::error_test);
  double h = std::max(std::min(usual, options_.max_step), least);
  bool was_rejected = false;
  for (;;) {
    // A step longer by a hundredth is better than a last step of that size, within the limit.
    const bool is_last =
        limit - t_ <= std::min(1.01 * h, std::max(h, options_.max_step * (1 + 1e-9)));
    const double end = is_last ? limit : t_ + h;
    h = end - t_;
    const Attempt tried = attempt(end);
    if (!tried.rejected) {
      if (options_.monitor != nullptr) options_.monitor->accepted(end, h, order_, errors_);
      accept();
      start_ = t_, t_ = end;
      y_.swap(y_end_);
      can_interpolate_ = false;
      ++statistics_.steps;
      // A step cut short by the limit gives little information about the next one, unless it was
      // too long already.
      const bool was_cut = is_last && !was_rejected && tried.next_size >= h;
      next_size_ = was_cut ? std::max(tried.next_size, usual) : tried.next_size;
      return until(t_);
    }
    if (*tried.rejected != Rejection::error_test) errors_.clear();
    if (options_.monitor != nullptr) options_.monitor->rejected(t_, h, *tried.rejected, errors_);
    ++(*tried.rejected == Rejection::error_test ? statistics_.error_test_failures
                                                : statistics_.convergence_failures);
    was_rejected = true;
    if (!(tried.next_size < h) || tried.next_size <= least) fail(h, *tried.rejected);
    h = std::min(tried.next_size, 0.999 * h);  // the rounded difference may have been longer
  }
}

/// Below this size, t + h is too inaccurate.
double OneStepIntegrator::least_size() const {
  return std::max(10 * unit_roundoff * std::abs(t_), std::numeric_limits<double>::min());
}

/// The part of the last step up to `end`, for the caller.
OdeIntegrator::Step OneStepIntegrator::until(double end) {
  const std::optional<double> root =
      locator_.is_needed() ? locator_.look(end, solution_) : std::nullopt;
  shown_ = root.value_or(end);
  return {shown_, root.has_value()};
}

void OneStepIntegrator::interpolate(double t, std::span<double> y) {
  if (t == t_) {
    std::ranges::copy(y_, y.begin());
    return;
  }
  if (!can_interpolate_) prepare_interpolation(start_, t_ - start_);
  can_interpolate_ = true;
  interpolate_at((t - start_) / (t_ - start_), t_ - start_, y);
}

bool OneStepIntegrator::evaluate(double t, std::span<const double> y, std::span<double> f) {
  ++statistics_.evaluations;
  not_finite_.reset();
  if (!problem_.evaluate(t, y, f)) return false;
  not_finite_ = first_not_finite(f);
  return !not_finite_;
}

double OneStepIntegrator::error_norm(std::span<const double> errors) {
  errors_.resize(size());
  double sum = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors_[i] = errors[i] / tolerance(i, std::max(std::abs(y_[i]), std::abs(y_end_[i])));
    sum += errors_[i] * errors_[i];
  }
  return std::sqrt(sum / static_cast<double>(size()));
}

double OneStepIntegrator::usual_first_size(std::span<const double> f, double room,
                                           int error_order) {
  const auto norm = [&](auto value) {
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const double part = value(i) / tolerance(i, y_[i]);
      sum += part * part;
    }
    return std::sqrt(sum / static_cast<double>(size()));
  };
  const double longest = std::min(room, options_.max_step);
  if (options_.first_step > 0) return std::min(options_.first_step, longest);
  const double states = norm([&](std::size_t i) { return y_[i]; });
  const double slopes = norm([&](std::size_t i) { return f[i]; });
  const double first =
      std::min(states < 1e-5 || slopes < 1e-5 ? 1e-6 : 0.01 * states / slopes, longest);
  for (std::size_t i = 0; i < size(); ++i) y_end_[i] = y_[i] + first * f[i];
  std::vector<double>& next = errors_;  // not used yet
  next.resize(size());
  // Not after the limit by a rounding error.
  const double at = first < longest ? t_ + first : std::nextafter(t_ + first, t_);
  const bool is_known = evaluate(at, y_end_, next);
  const double bend = norm([&](std::size_t i) { return next[i] - f[i]; }) / first;
  errors_.clear();
  if (!is_known) return first;
  const double most = std::max(slopes, bend);
  const int order = error_order > 0 ? error_order : order_;
  const double second =
      most <= 1e-15 ? std::max(1e-6, 1e-3 * first) : std::pow(0.01 / most, 1.0 / (order + 1));
  return std::min({100 * first, second, longest});
}

void OneStepIntegrator::fail(double h, Rejection why) const {
  const std::string size = fmt::format("even at h = {:.3g} s", h);
  if (why == Rejection::evaluation) {
    OdeFailure failure(t_, "the derivatives cannot be computed or are not finite here");
    failure.worst_state = not_finite_;
    throw failure;
  }
  if (why == Rejection::convergence)
    throw OdeFailure(t_, "its iteration does not converge " + size, "Try another %key%.",
                     "solver.rtol");
  OdeFailure failure(t_, "the error cannot be kept below the tolerance " + size,
                     "Try a larger %key%.", "solver.rtol");
  if (!errors_.empty()) failure.worst_state = worst_component(errors_);
  throw failure;
}

}  // namespace tutti::solvers
