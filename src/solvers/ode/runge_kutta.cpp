// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/ode/runge_kutta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tutti::solvers {
namespace {

constexpr std::size_t most_terms = 16;
constexpr int other_steps_to_forget = 6;

/// A sum over stages whose number the compiler knows, so that it unrolls and vectorizes.
template <std::size_t count>
void add_slopes(const double* const* slopes, const double* weights, const double* y, double h,
                std::size_t n, double* result) {
  std::array<const double*, count> k{};
  std::array<double, count> w{};
  for (std::size_t j = 0; j < count; ++j) k[j] = slopes[j], w[j] = weights[j];
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < count; ++j) sum += w[j] * k[j][i];
    result[i] = (y == nullptr ? 0 : y[i]) + h * sum;
  }
}

using AddSlopes = decltype(&add_slopes<1>);
template <std::size_t... count>
constexpr std::array<AddSlopes, sizeof...(count)> slope_sums(std::index_sequence<count...>) {
  return {add_slopes<count>...};
}
constexpr auto slope_sums_by_count = slope_sums(std::make_index_sequence<most_terms + 1>());

}  // namespace

ExplicitRungeKutta::ExplicitRungeKutta(OdeProblem& problem, const OdeOptions& options,
                                       const Tableau& tableau, const PiControl::Settings& control)
    : OneStepIntegrator(problem, options, tableau.order),
      tableau_(tableau),
      control_(control),
      error_row_(row_of(tableau.error)),
      second_error_row_(row_of(tableau.second_error)),
      judged_(tableau.stages - 1),
      slopes_(tableau.c.size() * size()),
      argument_(size()),
      estimate_(size()),
      dense_((4 + tableau.dense_row_count()) * size()) {
  rows_.resize(1);
  for (std::size_t i = 1; i < tableau.c.size(); ++i) rows_.push_back(row_of(tableau.row(i)));
  for (std::size_t i = 0; i < tableau.dense_row_count(); ++i)
    dense_rows_.push_back(row_of(tableau.dense_row(i)));
  for (const Row* const row : {&error_row_, &second_error_row_})
    for (const Term& term : *row) judged_ = std::max(judged_, term.stage + 1);
}

ExplicitRungeKutta::Row ExplicitRungeKutta::row_of(std::span<const double> weights) {
  Row row;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0) row.push_back({j, weights[j]});
  return row;
}

void ExplicitRungeKutta::combine(const Row& row, const double* y, double h,
                                 std::span<double> result) const {
  std::array<const double*, most_terms> slopes{};
  std::array<double, most_terms> weights{};
  for (std::size_t j = 0; j < row.size(); ++j) {
    slopes[j] = slopes_.data() + row[j].stage * size();
    weights[j] = row[j].weight;
  }
  slope_sums_by_count[row.size()](slopes.data(), weights.data(), y, h, size(), result.data());
}

void ExplicitRungeKutta::begin() {
  control_.restart();
  is_carried_over_ = false;
  if (!evaluate(t(), y(), stage(0))) fail(0, Rejection::evaluation);
}

OneStepIntegrator::Attempt ExplicitRungeKutta::attempt(double end) {
  const double h = end - t();
  const std::size_t last = tableau_.stages - 1;
  if (is_carried_over_) std::ranges::copy(stage(last), stage(0).begin());
  is_carried_over_ = false;
  const auto compute = [&](std::size_t i) {
    const std::span<double> at = i == last ? std::span(y_end()) : std::span(argument_);
    const double c = tableau_.c[i];
    return evaluate(c == 1 ? end : t() + c * h, at, stage(i));
  };
  for (std::size_t i = 1; i <= last; ++i) {
    combine(rows_[i], y().data(), h, i == last ? y_end() : argument_);
    if (i < judged_ && !compute(i)) return refuse(h);
  }
  const double norm = error(h);
  if (!std::isfinite(norm)) return refuse(h);
  if (!control_.accepts(norm)) return {Rejection::error_test, h * control_.reduction(norm)};
  // Computed here because a rejected step does not need the slope at its end.
  for (std::size_t i = judged_; i <= last; ++i)
    if (!compute(i)) return refuse(h);
  look_for_stiffness(h);
  return {{}, h * control_.growth(norm)};
}

OneStepIntegrator::Attempt ExplicitRungeKutta::refuse(double h) {
  return {Rejection::evaluation, h * control_.reduction()};
}

double ExplicitRungeKutta::error(double h) {
  if (error_row_.empty()) return 0;
  double second = 0;
  if (!second_error_row_.empty()) {
    combine(second_error_row_, nullptr, h, estimate_);
    second = error_norm(estimate_);
  }
  combine(error_row_, nullptr, h, estimate_);
  const double first = error_norm(estimate_);
  if (second_error_row_.empty() || first == 0) return first;
  const double share = first / std::sqrt(first * first + 0.01 * second * second);
  for (double& part : estimate_) part *= share;
  return error_norm(estimate_);
}

void ExplicitRungeKutta::look_for_stiffness(double h) {
  if (tableau_.stability == 0) return;
  const std::span<const double> before = stage(tableau_.stages - 2),
                                at_end = stage(tableau_.stages - 1);
  double change = 0, distance = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    change += (at_end[i] - before[i]) * (at_end[i] - before[i]);
    distance += (y_end()[i] - argument_[i]) * (y_end()[i] - argument_[i]);
  }
  if (distance > 0 && h * std::sqrt(change) > tableau_.stability * std::sqrt(distance)) {
    other_steps_ = 0;
    stiff_steps_ = std::min(stiff_steps_ + 1, stiff_steps_that_count);
  } else {
    other_steps_ = std::min(other_steps_ + 1, other_steps_to_forget);
    if (other_steps_ == other_steps_to_forget) stiff_steps_ = 0;
  }
}

std::uint64_t ExplicitRungeKutta::choice() const {
  return static_cast<std::uint64_t>(stiff_steps_) | static_cast<std::uint64_t>(other_steps_) << 8;
}

void ExplicitRungeKutta::restore_choice(std::uint64_t choice) {
  stiff_steps_ = static_cast<int>(choice & 0xff);
  other_steps_ = static_cast<int>(choice >> 8);
}

void ExplicitRungeKutta::prepare_interpolation(double start, double h) {
  const std::size_t n = size();
  for (std::size_t i = tableau_.stages; i < tableau_.c.size(); ++i) {
    const double at = start + tableau_.c[i] * h;
    combine(rows_[i], y_start().data(), h, argument_);
    if (!evaluate(at, argument_, stage(i)))
      throw OdeFailure(at, "the derivatives inside a step cannot be computed or are not finite",
                       "Try a smaller %key%.", "solver.max-step");
  }
  const std::span<const double> first = stage(0), last = stage(tableau_.stages - 1);
  for (std::size_t i = 0; i < n; ++i) {
    const double change = y()[i] - y_start()[i], bend = h * first[i] - change;
    dense_[i] = y_start()[i];
    dense_[n + i] = change;
    dense_[2 * n + i] = bend;
    dense_[3 * n + i] = change - h * last[i] - bend;
  }
  for (std::size_t d = 0; d < dense_rows_.size(); ++d)
    combine(dense_rows_[d], nullptr, h, std::span(dense_).subspan((4 + d) * n, n));
}

void ExplicitRungeKutta::interpolate_at(double theta, double, std::span<double> y) const {
  const std::size_t n = size();
  const std::size_t last = dense_.size() / n - 1;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = dense_[last * n + i];
    for (std::size_t r = last; r-- > 0;)
      sum = dense_[r * n + i] + (r % 2 == 0 ? theta : 1 - theta) * sum;
    y[i] = sum;
  }
}

DormandPrinceRows dormand_prince_rows(double beta, double fac1, double fac2) {
  return {{
      {"beta", beta, "Exponent of the error of the step before, for smoother step sizes", 0, 0.2},
      {"fac1", fac1, "Smallest ratio of a step to the one before", 1e-3, 0.9},
      {"fac2", fac2, "Largest ratio of a step to the one before", 1, 100},
      {"safe", 0.9, "Safety factor for the next step size", 1e-3, 1},
  }};
}

std::unique_ptr<OdeIntegrator> make_dormand_prince(const char* solver, OdeProblem& problem,
                                                   const OdeOptions& options,
                                                   const Tableau& tableau,
                                                   const DormandPrinceRows& rows, double exponent,
                                                   double share) {
  const OptionValues own(solver, rows, options.own);
  const double beta = own.number("beta");
  return std::make_unique<ExplicitRungeKutta>(
      problem, options, tableau,
      PiControl::Settings{.safe = own.number("safe"),
                          .fac1 = own.number("fac1"),
                          .fac2 = own.number("fac2"),
                          .beta = beta,
                          .exponent = exponent - share * beta});
}

}  // namespace tutti::solvers
