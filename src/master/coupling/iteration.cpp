// SPDX-License-Identifier: BSD-2-Clause
#include "master/coupling/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "master/free_loop.hpp"
#include "solvers/linear/linear_system.hpp"

namespace tutti::master {
namespace {

constexpr double slowest_contraction = 0.7;
// Changes this far below the tolerance are noise: their contraction is meaningless.
constexpr double largest_remainder = 1e6;

}  // namespace

void Iteration::begin(const InterfaceProblem& problem) {
  outcome_ = {.iterations = 0};
  contraction_ = 0;
  slow_ = 0;
  scale_.assign(problem.size(), 0);
  for (auto& change : changes_) change.assign(problem.size(), 0);
  if (measured_at_ == 0) measured_at_ = problem.step_size();
  expected_ = 0;
}

std::optional<CouplingOutcome> Iteration::ended_by(const Pass& pass) {
  if (pass.status == Pass::Status::done) return {};
  outcome_.status = pass.status == Pass::Status::cut ? CouplingOutcome::Status::cut
                                                     : CouplingOutcome::Status::terminated;
  outcome_.reached = pass.reached;
  return outcome_;
}

std::optional<CouplingOutcome> Iteration::ended_by_change(const InterfaceProblem& problem,
                                                          std::span<const double> before,
                                                          std::span<const double> after,
                                                          double factor) {
  using Status = CouplingOutcome::Status;
  ++outcome_.iterations;
  outcome_.norm = before.empty() ? 0 : problem.change(before, after);
  if (!std::isfinite(outcome_.norm)) return end(Status::not_finite);
  measure_contraction(before, after);
  // A value that a sweep replaces before it is read does not matter: its first change does not
  // count.
  const std::uint32_t first = kind_ == Changes::of_sweeps ? 2 : 1;
  if (outcome_.iterations > first) measure_remainder(problem, after, factor);
  if (outcome_.norm <= 1 && problem.others_settled() && error(problem) <= 1)
    return end(Status::converged);
  slow_ = contraction_ > slowest_contraction ? slow_ + 1 : 0;
  if (options_.watch_contraction && slow_ >= 2) return end(Status::diverging);
  if (outcome_.iterations >= options_.most_iterations) return end(Status::iteration_limit);
  return {};
}

double Iteration::error(const InterfaceProblem& problem) const {
  if (!options_.judges_error || outcome_.norm == 0) return 0;
  if (!is_similar(problem.step_size(), measured_at_))
    return std::numeric_limits<double>::infinity();  // unknown: another iteration measures it
  if (kind_ == Changes::of_sweeps && remainder_ <= options_.usual_remainder) return 0;
  return std::max(remainder_ * outcome_.norm, expected_);
}

double Iteration::product(std::size_t lag, std::size_t other) const {
  double sum = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i)
    sum += weights_[i] * weights_[i] * changes_[lag][i] * changes_[other][i];
  return sum;
}

double Iteration::remainder() const {
  const double last = product(1, 1);
  const double theta = last > 0 ? std::sqrt(product(0, 0) / last) : 0;
  return theta < 1 ? theta / (1 - theta) : largest_remainder;
}

// Of relaxed sweeps x_(k+1) = x_k + w d_k, all of d_k is applied in the end: (w - 1) d_k + w r.
double Iteration::remainder_of_sweeps(std::size_t lag, double factor) const {
  const double square = product(lag, lag), all = product(0, 0);
  const double theta = square > 0 ? product(0, lag) / square : 0;
  if (theta >= 1) return largest_remainder;
  const double rest = theta > 0 ? factor * theta / (1 - theta) : 0;
  const double of_now = factor - 1 + rest, of_last = lag > 1 ? rest : 0;
  const double left = of_now * of_now * all + 2 * of_now * of_last * product(0, 1) +
                      of_last * of_last * product(1, 1);
  return all > 0 ? std::sqrt(std::max(left, 0.0) / all) : 0;
}

void Iteration::measure_remainder(const InterfaceProblem& problem, std::span<const double> after,
                                  double factor) {
  weights_.resize(after.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const double tolerance = problem.tolerance(i, after[i]);
    weights_[i] = tolerance > 0 ? 1 / tolerance : 1;
  }
  remainder_ = kind_ == Changes::of_sweeps
                   ? std::max(remainder_of_sweeps(1, factor), remainder_of_sweeps(2, factor))
                   : remainder();
  remainder_ = std::min(remainder_, largest_remainder);
  measured_at_ = problem.step_size();
}

// The weights of the norm follow the iterates, which would hide growth behind an oscillation.
void Iteration::measure_contraction(std::span<const double> before, std::span<const double> after) {
  std::rotate(changes_.begin(), changes_.end() - 1, changes_.end());
  double now = 0, last = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double change = after[i] - before[i];
    scale_[i] = std::max({scale_[i], std::abs(before[i]), std::abs(after[i])});
    if (scale_[i] > 0) {
      now += std::pow(change / scale_[i], 2);
      last += std::pow(changes_[1][i] / scale_[i], 2);
    }
    changes_[0][i] = change;
  }
  contraction_ = last > 0 ? std::sqrt(now / last) : 0;
}

void Iteration::replace_change(const InterfaceProblem& problem, std::span<const double> before,
                               std::span<const double> after) {
  outcome_.norm = problem.change(before, after);
  for (std::size_t i = 0; i < before.size(); ++i) changes_[0][i] = after[i] - before[i];
  slow_ = 0;
}

CouplingOutcome Iteration::end(CouplingOutcome::Status status) {
  outcome_.status = status;
  return outcome_;
}

void SensitivityInverse::set_identity(std::size_t n) {
  rows_.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) rows_[i * n + i] = 1;
}

std::vector<double> SensitivityInverse::take(InterfaceProblem& problem, std::span<const double> x,
                                             std::span<const double> result) {
  const std::size_t n = x.size();
  std::vector<solvers::Entry> entries;
  for (std::size_t i = 0; i < n; ++i) entries.push_back({i, i, 1});
  problem.sensitivities(x, result, [&](std::size_t row, std::size_t column, double value) {
    if (value != 0) entries.push_back({row, column, -value});
  });
  const solvers::LinearSystem system(n, entries);
  std::vector<double> unit(n), column(n);
  rows_.resize(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    unit[j] = 1;
    system.solve(unit, column);
    unit[j] = 0;
    for (std::size_t i = 0; i < n; ++i) rows_[i * n + j] = column[i];
  }
  return system.free_direction(precision_of_gains);
}

void SensitivityInverse::multiply(std::span<const double> v, std::vector<double>& product) const {
  const std::size_t n = v.size();
  product.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    product[i] = std::inner_product(v.begin(), v.end(), rows().subspan(i * n).begin(), 0.0);
}

void SensitivityInverse::update(std::span<const double> d, std::span<const double> q) {
  const std::size_t n = d.size();
  multiply(q, moved_);
  const double scale = std::inner_product(d.begin(), d.end(), moved_.begin(), 0.0);
  if (!(std::abs(scale) > 0) || !std::isfinite(scale)) return;
  row_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) row_[j] += d[i] * rows_[i * n + j];
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = (d[i] - moved_[i]) / scale;
    for (std::size_t j = 0; j < n; ++j) rows_[i * n + j] += weight * row_[j];
  }
}

}  // namespace tutti::master
