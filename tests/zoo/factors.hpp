// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace zoo {

/// Solves A x = b in place, A n by n with rows of length `stride`; LU with pivots, kept for many b.
template <std::size_t N>
class Factors {
 public:
  double& at(std::size_t i, std::size_t k) { return a_[i * N + k]; }
  void factor(std::size_t n);
  void solve(double* b) const;

 private:
  std::size_t n_ = 0;
  std::array<double, N * N> a_;
  std::array<std::size_t, N> pivot_;
};

template <std::size_t N>
void Factors<N>::factor(std::size_t n) {
  n_ = n;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(at(i, k)) > std::abs(at(best, k))) best = i;
    pivot_[k] = best;
    if (best != k)
      for (std::size_t j = 0; j < n; ++j) std::swap(at(k, j), at(best, j));
    for (std::size_t i = k + 1; i < n; ++i) {
      const double m = at(i, k) /= at(k, k);
      if (m == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) at(i, j) -= m * at(k, j);
    }
  }
}

template <std::size_t N>
void Factors<N>::solve(double* b) const {
  for (std::size_t k = 0; k < n_; ++k) {
    if (pivot_[k] != k) std::swap(b[k], b[pivot_[k]]);
  }
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t k = 0; k < i; ++k) b[i] -= a_[i * N + k] * b[k];
  for (std::size_t i = n_; i-- > 0;) {
    for (std::size_t k = i + 1; k < n_; ++k) b[i] -= a_[i * N + k] * b[k];
    b[i] /= a_[i * N + i];
  }
}

}  // namespace zoo
