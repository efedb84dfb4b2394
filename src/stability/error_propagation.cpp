// SPDX-License-Identifier: BSD-2-Clause
#include "stability/error_propagation.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "stability/dense.hpp"

namespace tutti::stability {
namespace {

constexpr std::size_t level_count = 15;  // a quantum is 2^-14 of the simulated time
constexpr int taylor_order = 10;         // of matrices of norm 1/2: 1e-12

/// phi = e^(A h), gamma = integral of e^(A s) B over h.
struct Response {
  Dense phi, gamma;

  /// The same over twice the time.
  void double_time() {
    gamma = (phi * gamma + gamma).eval();
    phi = (phi * phi).eval();
  }
};

Response response_of(const Dense& a, const Dense& b, double h) {
  constexpr double small = 0.5;
  const double norm = a.size() > 0 ? a.cwiseAbs().rowwise().sum().maxCoeff() * h : 0;
  int doublings = 0;
  while (std::isfinite(norm) && std::ldexp(norm, -doublings) > small) ++doublings;
  const double part = std::ldexp(h, -doublings);
  Response response{Dense::Identity(a.rows(), a.cols()), part * b};
  Dense power = response.phi, term = response.gamma;
  for (int k = 1; k <= taylor_order; ++k) {
    power = (power * a * (part / k)).eval();
    term = (a * term * (part / (k + 1))).eval();
    response.phi += power;
    response.gamma += term;
  }
  for (int k = 0; k < doublings; ++k) response.double_time();
  return response;
}

/// M L
Dense product(const Dense& m, const SparseMatrix& l) {
  Dense result = Dense::Zero(m.rows(), index(l.columns));
  for (const auto& [row, column, value] : l.entries)
    result.col(index(column)) += value * m.col(index(row));
  return result;
}

/// I - D L
Eigen::PartialPivLU<Dense> loop_of(const Dense& d, const SparseMatrix& l) {
  return Eigen::PartialPivLU<Dense>(Dense::Identity(d.rows(), d.rows()) - product(d, l));
}

Matrix transposed(const Dense& m) { return plain(m.transpose()); }

/// result += M' v, which is faster than M v: sums keep their order, so those over rows are not
/// vectorized.
void add_transposed_product(const Matrix& m, std::span<const double> v, std::span<double> result) {
  for (std::size_t j = 0; j < m.rows; ++j) {
    if (v[j] == 0) continue;
    const double* from = m.values.data() + j * m.columns;
    for (std::size_t i = 0; i < m.columns; ++i) result[i] += from[i] * v[j];
  }
}

void add_product(const SparseMatrix& m, std::span<const double> v, std::span<double> result) {
  for (const auto& [row, column, value] : m.entries) result[row] += value * v[column];
}

}  // namespace

bool ErrorPropagation::is_possible(const CoupledSystem& system) {
  const std::size_t r = system.outputs();
  if (r == 0 || r > most_outputs || system.states() > most_states ||
      system.l.entries.size() > most_connections)
    return false;
  const Dense d = diagonal(system, &Subsystem::d, r, system.inputs());
  // NaN where a pivot is 0.
  return loop_of(d, system.l).rcond() > std::numeric_limits<double>::epsilon();
}

ErrorPropagation::ErrorPropagation(const CoupledSystem& system, double span)
    : quantum_(std::ldexp(span, 1 - static_cast<int>(level_count))) {
  const std::size_t n = system.states(), m = system.inputs(), r = system.outputs();
  const Dense a = diagonal(system, &Subsystem::a, n, n), b = diagonal(system, &Subsystem::b, n, m),
              c = diagonal(system, &Subsystem::c, r, n), d = diagonal(system, &Subsystem::d, r, m);
  const Eigen::PartialPivLU<Dense> loop = loop_of(d, system.l);
  // Eigen does not solve systems of size 0.
  const Dense from_states = n > 0 ? Dense(loop.solve(c)) : c;
  const Dense from_inputs = m > 0 ? Dense(loop.solve(d)) : d;
  from_states_ = transposed(from_states);
  from_inputs_ = SparseMatrix(plain(from_inputs));
  // (I - L D)^-1 = I + L (I - D L)^-1 D
  const Dense b_l = product(b, system.l);
  Response response = response_of(a + b_l * from_states, b + b_l * from_inputs, quantum_);
  for (std::size_t k = 0; k < level_count; ++k) {
    levels_.push_back({transposed(response.phi), transposed(response.gamma)});
    response.double_time();
  }
  x_.resize(n);
  scratch_.resize(std::max(n, m));
  integral_.resize(m);
  largest_.resize(r);
  present_.resize(r);
}

void ErrorPropagation::step(double h, std::span<const double> mean,
                            std::span<const double> at_end) {
  waiting_ += h;
  for (std::size_t j = 0; j < integral_.size(); ++j) integral_[j] += h * mean[j];
  const auto quanta = static_cast<std::size_t>(waiting_ / quantum_);
  if (quanta > 0) advance(quanta);
  std::ranges::fill(present_, 0.0);
  add_transposed_product(from_states_, x_, present_);
  add_product(from_inputs_, at_end, present_);
  for (std::size_t i = 0; i < present_.size(); ++i) {
    const double now = std::abs(present_[i]);
    if (now > largest_[i] || std::isnan(now)) largest_[i] = now;  // NaN propagates
  }
}

Matrix ErrorPropagation::gains(std::span<const std::size_t> inputs) const {
  constexpr std::size_t short_levels = level_count - 6;  // then 32 equal parts of the span
  const Dense from_states = dense(from_states_).transpose(), from_inputs = dense(from_inputs_);
  const std::vector<Eigen::Index> columns(inputs.begin(), inputs.end());
  const Dense at_once = from_inputs(Eigen::all, columns);
  Dense largest = at_once.cwiseAbs();
  const auto look = [&](const Dense& x) {
    if (x.rows() > 0) largest = largest.cwiseMax((from_states * x + at_once).cwiseAbs());
  };
  // gamma is the effect of a constant error of 1 after 2^k quanta.
  for (std::size_t k = 0; k < short_levels; ++k)
    look(dense(levels_[k].gamma)(columns, Eigen::all).transpose());
  const Dense phi = dense(levels_[short_levels].phi).transpose();
  const Dense gamma = dense(levels_[short_levels].gamma)(columns, Eigen::all).transpose();
  Dense x = gamma;
  for (int part = 0; part < 32; ++part) {
    look(x);
    x = (phi * x + gamma).eval();
  }
  return plain(largest);
}

void ErrorPropagation::advance(std::size_t quanta) {
  const double passed = static_cast<double>(quanta) * quantum_;
  for (double& e : integral_) e /= waiting_;  // the mean
  const auto by = [&](const Level& level) {
    std::ranges::fill(scratch_, 0.0);
    add_transposed_product(level.phi, x_, scratch_);
    add_transposed_product(level.gamma, integral_, scratch_);
    std::copy_n(scratch_.begin(), x_.size(), x_.begin());
  };
  const std::size_t all = std::size_t{1} << (levels_.size() - 1);  // the simulated time
  for (; quanta >= all; quanta -= all) by(levels_.back());
  for (std::size_t k = 0; k + 1 < levels_.size(); ++k)
    if ((quanta >> k & 1) != 0) by(levels_[k]);
  waiting_ = std::max(0.0, waiting_ - passed);
  for (double& e : integral_) e *= waiting_;
}

void ErrorPropagation::save(std::vector<double>& into) const {
  into.push_back(waiting_);
  for (const auto* part : {&x_, &integral_, &largest_, &present_})
    into.insert(into.end(), part->begin(), part->end());
}

std::span<const double> ErrorPropagation::restore(std::span<const double> from) {
  waiting_ = from[0];
  from = from.subspan(1);
  for (auto* part : {&x_, &integral_, &largest_, &present_}) {
    std::copy_n(from.begin(), part->size(), part->begin());
    from = from.subspan(part->size());
  }
  return from;
}

}  // namespace tutti::stability
