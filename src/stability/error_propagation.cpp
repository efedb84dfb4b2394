// SPDX-License-Identifier: BSD-2-Clause
#include "stability/error_propagation.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

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

/// result += M v
void add_product(const Matrix& m, std::span<const double> v, std::span<double> result) {
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.columns; ++j) result[i] += m(i, j) * v[j];
}

}  // namespace

bool ErrorPropagation::is_possible(const CoupledSystem& system) {
  if (system.states() > most_states || system.outputs() == 0) return false;
  const Dense gain = dense(loop_gain(system));
  return Eigen::FullPivLU<Dense>(Dense::Identity(gain.rows(), gain.cols()) - gain).isInvertible();
}

ErrorPropagation::ErrorPropagation(const CoupledSystem& system, double span)
    : quantum_(std::ldexp(span, 1 - static_cast<int>(level_count))) {
  const std::size_t n = system.states(), m = system.inputs(), r = system.outputs();
  const Dense a = diagonal(system, &Subsystem::a, n, n), b = diagonal(system, &Subsystem::b, n, m),
              c = diagonal(system, &Subsystem::c, r, n), d = diagonal(system, &Subsystem::d, r, m),
              l = dense(system.l);
  const Eigen::FullPivLU<Dense> loop(Dense::Identity(index(r), index(r)) - d * l);
  // Eigen does not solve for nothing.
  const Dense from_states = n > 0 ? Dense(loop.solve(c)) : c;
  const Dense from_inputs = m > 0 ? Dense(loop.solve(d)) : d;
  from_states_ = plain(from_states);
  from_inputs_ = plain(from_inputs);
  // (I - L D)^-1 = I + L (I - D L)^-1 D
  Response response = response_of(a + b * l * from_states, b + b * l * from_inputs, quantum_);
  for (std::size_t k = 0; k < level_count; ++k) {
    levels_.push_back({plain(response.phi), plain(response.gamma)});
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
  std::fill(present_.begin(), present_.end(), 0.0);
  add_product(from_states_, x_, present_);
  add_product(from_inputs_, at_end, present_);
  for (std::size_t i = 0; i < present_.size(); ++i)
    // Also takes what is not a number.
    if (!(std::abs(present_[i]) <= largest_[i])) largest_[i] = std::abs(present_[i]);
}

void ErrorPropagation::advance(std::size_t quanta) {
  const double passed = static_cast<double>(quanta) * quantum_;
  for (double& e : integral_) e /= waiting_;  // the mean
  const auto by = [&](const Level& level) {
    std::fill(scratch_.begin(), scratch_.end(), 0.0);
    add_product(level.phi, x_, scratch_);
    add_product(level.gamma, integral_, scratch_);
    std::copy_n(scratch_.begin(), x_.size(), x_.begin());
  };
  const std::size_t all = std::size_t{1} << (levels_.size() - 1);  // the simulated time
  for (; quanta >= all; quanta -= all) by(levels_.back());
  for (std::size_t k = 0; k + 1 < levels_.size(); ++k)
    if ((quanta >> k & 1) != 0) by(levels_[k]);
  waiting_ = std::max(0.0, waiting_ - passed);
  for (double& e : integral_) e *= waiting_;
}

}  // namespace tutti::stability
