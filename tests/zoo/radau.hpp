// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>

namespace zoo {

/// Radau IIA with five stages: collocation of order 9, stable however stiff the equations are,
/// exact at the end of the step (Hairer, Wanner, Solving Ordinary Differential Equations II,
/// section IV.5).
inline constexpr std::size_t stages = 5;

/// x(t + c_i h) = x(t) + h sum_j a_ij f(t + c_j h).
struct Tableau {
  std::array<double, stages> c{};
  std::array<std::array<double, stages>, stages> a{};
  Tableau();
};
inline const Tableau& tableau() {
  static const Tableau table;
  return table;
}

inline Tableau::Tableau() {
  // The nodes are the zeros of P_5 - P_4 (shifted to [0, 1]); the last is 1.
  const auto p = [](long double x) {
    long double before = 1, now = x;
    for (int k = 1; k < static_cast<int>(stages); ++k) {
      const long double next = ((2 * k + 1) * x * now - k * before) / (k + 1);
      before = now;
      now = next;
    }
    return now - before;
  };
  std::array<long double, stages> nodes{};
  std::size_t found = 0;
  constexpr int grid = 1000;
  for (int k = 0; k < grid && found + 1 < stages; ++k) {
    long double low = -1 + 2.0L * k / grid, high = low + 2.0L / grid;
    if ((p(low) > 0) == (p(high) > 0)) continue;
    for (int n = 0; n < 80; ++n) {
      const long double middle = (low + high) / 2;
      ((p(middle) > 0) == (p(low) > 0) ? low : high) = middle;
    }
    nodes[found++] = (1 + (low + high) / 2) / 2;
  }
  nodes[stages - 1] = 1;
  // Polynomials up to degree 4 are integrated exactly from 0 to each node: l_j by its monomials.
  for (std::size_t j = 0; j < stages; ++j) {
    std::array<long double, stages> l{1};
    long double scale = 1;
    std::size_t degree = 0;
    for (std::size_t k = 0; k < stages; ++k) {
      if (k == j) continue;
      for (std::size_t d = ++degree; d > 0; --d) l[d] = l[d - 1] - nodes[k] * l[d];
      l[0] *= -nodes[k];
      scale *= nodes[j] - nodes[k];
    }
    for (std::size_t i = 0; i < stages; ++i) {
      long double sum = 0, power = nodes[i];
      for (std::size_t d = 0; d < stages; ++d, power *= nodes[i])
        sum += l[d] * power / static_cast<long double>(d + 1);
      a[i][j] = static_cast<double>(sum / scale);
    }
    c[j] = static_cast<double>(nodes[j]);
  }
}

}  // namespace zoo
