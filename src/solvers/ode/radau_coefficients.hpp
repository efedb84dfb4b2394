// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>

/// The Radau IIA method of order 5 (E. Hairer, G. Wanner, Solving Ordinary Differential Equations
/// II, 2nd edition, IV.5 table 5.6 and IV.8; constants as in their code RADAU5).
namespace tutti::solvers::radau {

using Row = std::array<double, 3>;
using Matrix = std::array<Row, 3>;

constexpr double sqrt6 = 2.4494897427831780982;
constexpr double cbrt9 = 2.0800838230519041145, cbrt81 = 4.3267487109222251478;
constexpr double sqrt3 = 1.7320508075688772935;

/// The zeros of the Radau polynomial of degree 3.
constexpr Row nodes = {(4 - sqrt6) / 10, (4 + sqrt6) / 10, 1};

/// The matrix A of the method; its last row has the weights.
constexpr Matrix runge_kutta = {
    {{(88 - 7 * sqrt6) / 360, (296 - 169 * sqrt6) / 1800, (-2 + 3 * sqrt6) / 225},
     {(296 + 169 * sqrt6) / 1800, (88 + 7 * sqrt6) / 360, (-2 - 3 * sqrt6) / 225},
     {(16 - sqrt6) / 36, (16 + sqrt6) / 36, 1.0 / 9}}};

/// The eigenvalues of the inverse of A: gamma, alpha +- i beta.
constexpr double real_part = (6 + cbrt81 - cbrt9) / 30;
constexpr double pair_part = (12 - cbrt81 + cbrt9) / 60;
constexpr double pair_imaginary = (cbrt81 + cbrt9) * sqrt3 / 60;
constexpr double pair_square = pair_part * pair_part + pair_imaginary * pair_imaginary;
constexpr double gamma = 1 / real_part;
constexpr double alpha = pair_part / pair_square, beta = pair_imaginary / pair_square;

/// T with inverse(T) inverse(A) T = [gamma, 0, 0; 0, alpha, -beta; 0, beta, alpha], and its
/// inverse.
constexpr Matrix from_modes = {
    {{9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
     {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
     {0.96604818261509293619, 1, 0}}};
constexpr Matrix to_modes = {
    {{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
     {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
     {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}}};

/// gamma h times the difference of an embedded solution of order 3 is e z (IV.8, equation 8.19).
constexpr Row error_weights = {-(13 + 7 * sqrt6) / 3, (-13 + 7 * sqrt6) / 3, -1.0 / 3};

/// d[i][j] z_j: h times the slope at node i of the polynomial of degree 3 that is 0 at 0 and z_j at
/// node j: the inverse of A.
constexpr Matrix differentiation() {
  const std::array<double, 4> x = {0, nodes[0], nodes[1], nodes[2]};
  Matrix d{};
  for (std::size_t i = 1; i < 4; ++i)
    for (std::size_t j = 1; j < 4; ++j) {
      double sum = 0;
      for (std::size_t m = 0; m < 4; ++m) {  // one factor differentiated at a time
        if (m == j) continue;
        double product = 1 / (x[j] - x[m]);
        for (std::size_t k = 0; k < 4; ++k)
          if (k != j && k != m) product *= (x[i] - x[k]) / (x[j] - x[k]);
        sum += product;
      }
      d[i - 1][j - 1] = sum;
    }
  return d;
}
constexpr Matrix slopes = differentiation();

}  // namespace tutti::solvers::radau
