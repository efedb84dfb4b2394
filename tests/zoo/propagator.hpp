// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace zoo {

template <std::size_t r, std::size_t c>
using Matrix = std::array<std::array<double, c>, r>;

template <std::size_t r, std::size_t k, std::size_t c>
Matrix<r, c> operator*(const Matrix<r, k>& a, const Matrix<k, c>& b) {
  Matrix<r, c> result{};
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t l = 0; l < k; ++l)
      for (std::size_t j = 0; j < c; ++j) result[i][j] += a[i][l] * b[l][j];
  return result;
}
template <std::size_t r, std::size_t c>
void add(Matrix<r, c>& a, const Matrix<r, c>& b, double factor = 1) {
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < c; ++j) a[i][j] += factor * b[i][j];
}

/// e^(A h) - 1, and the integrals of e^(A (h - s)) s^k/k! over s from 0 to h: how states answer to
/// inputs that are parabolas. Without the 1, slow motions keep their digits beside fast ones.
template <std::size_t n>
struct Propagator {
  double h = -1;
  Matrix<n, n> growth{};
  std::array<Matrix<n, n>, 3> response{};

  void compute(const Matrix<n, n>& a, double step) {
    h = step;
    double norm = 0;
    for (const auto& row : a) {
      double sum = 0;
      for (const double v : row) sum += std::abs(v);
      norm = std::max(norm, sum);
    }
    int halvings = 0;
    double s = step;
    for (; norm * s > 0.25; s /= 2) ++halvings;
    // Taylor: response_k = sum_j A^j s^(j+k+1) / (j+k+1)!, growth = A response_0.
    Matrix<n, n> power{};
    for (std::size_t i = 0; i < n; ++i) power[i][i] = 1;
    response = {};
    double scale = s;
    for (int j = 0; j < 14; ++j, scale *= s / (j + 1)) {
      double factor = scale;
      for (int k = 0; k < 3; ++k, factor *= s / (j + k + 1))
        add(response[static_cast<std::size_t>(k)], power, factor);
      power = power * a;
    }
    growth = a * response[0];
    for (; halvings > 0; --halvings, s *= 2) {  // from s to 2 s
      const std::array<Matrix<n, n>, 3> r = response;
      for (std::size_t k = 0; k < 3; ++k) {
        add(response[k], growth * r[k]);
        add(response[k], r[k]);
        if (k > 0) add(response[k], r[k - 1], s);
      }
      add(response[2], r[0], s * s / 2);
      Matrix<n, n> doubled = growth * growth;
      add(doubled, growth, 2);
      growth = doubled;
    }
  }
};

}  // namespace zoo
