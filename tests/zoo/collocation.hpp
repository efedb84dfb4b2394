// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "zoo/factors.hpp"
#include "zoo/radau.hpp"

/// Steps of order 9: the inside of the zoo's FMUs, and of the references.
namespace zoo {

/// The states at the stages of one step; the last is the end.
template <std::size_t N>
using Stages = std::array<std::array<double, N>, stages>;

/// Steps of x' = f(t, x) with up to N states. F: void(double t, const double* x, double* dx).
template <std::size_t N, class F>
class Collocation {
 public:
  Collocation(F f, std::size_t n) : f_(f), n_(n) {}

  /// For the steps of this length that follow.
  void prepare(double t, const double* x, double h) {
    if (t != jacobian_at_) find_jacobian(t, x);
    const Tableau& table = tableau();
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t j = 0; j < stages; ++j)
        for (std::size_t p = 0; p < n_; ++p)
          for (std::size_t q = 0; q < n_; ++q)
            matrix_.at(i * n_ + p, j * n_ + q) =
                (i == j && p == q ? 1.0 : 0.0) - h * table.a[i][j] * jacobian_[p * N + q];
    matrix_.factor(stages * n_);
  }
  /// False: the equations of the stages are not solved, h is too long. Stages start from x.
  bool step(double t, const double* x, double h, Stages<N>& result);

 private:
  void find_jacobian(double t, const double* x);

  F f_;
  std::size_t n_;
  double jacobian_at_ = std::nan("");
  std::array<double, N * N> jacobian_{};
  Factors<stages * N> matrix_;
};

template <std::size_t N, class F>
void Collocation<N, F>::find_jacobian(double t, const double* x) {
  std::array<double, N> here{}, moved{}, f{};
  std::copy(x, x + n_, moved.begin());
  f_(t, x, here.data());
  for (std::size_t q = 0; q < n_; ++q) {
    const double e = 1e-7 * std::max(1.0, std::abs(x[q]));
    moved[q] += e;
    f_(t, moved.data(), f.data());
    moved[q] = x[q];
    for (std::size_t p = 0; p < n_; ++p) jacobian_[p * N + q] = (f[p] - here[p]) / e;
  }
  jacobian_at_ = t;
}

/// Newton's iteration with the Jacobian of the start, until rounding ends it.
template <std::size_t N, class F>
bool Collocation<N, F>::step(double t, const double* x, double h, Stages<N>& result) {
  const Tableau& table = tableau();
  Stages<N> f;
  std::array<double, stages * N> residual;
  for (auto& stage : result) std::copy(x, x + n_, stage.begin());
  double last = INFINITY;
  for (int round = 0; round < 25; ++round) {
    for (std::size_t i = 0; i < stages; ++i) f_(t + table.c[i] * h, result[i].data(), f[i].data());
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t p = 0; p < n_; ++p) {
        double sum = 0;
        for (std::size_t j = 0; j < stages; ++j) sum += table.a[i][j] * f[j][p];
        residual[i * n_ + p] = x[p] + h * sum - result[i][p];
      }
    matrix_.solve(residual.data());
    double change = 0;
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t p = 0; p < n_; ++p) {
        const double d = residual[i * n_ + p];
        result[i][p] += d;
        change = std::max(change, std::abs(d) / (1 + std::abs(result[i][p])));
      }
    if (!std::isfinite(change)) return false;
    if (change < 1e-15 || (change < 1e-9 && change > last / 2)) return true;
    if (round > 3 && change > last / 1.2) return false;
    last = change;
  }
  return false;
}

}  // namespace zoo
