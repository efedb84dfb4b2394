// SPDX-License-Identifier: BSD-2-Clause
#include "ode_problems.h"

#include <math.h>

void ode_van_der_pol(size_t n, double t, const double* y, double* f) {
  (void)n, (void)t;
  f[0] = y[1];
  f[1] = 2000 * ((1 - y[0] * y[0]) * y[1] - y[0]);
}

void ode_van_der_pol_jacobian(const double* y, double* values) {
  values[0] = 0;
  values[1] = 2000 * (-2 * y[0] * y[1] - 1);
  values[2] = 1;
  values[3] = 2000 * (1 - y[0] * y[0]);
}

void ode_robertson(size_t n, double t, const double* y, double* f) {
  (void)n, (void)t;
  const double slow = 0.04 * y[0], back = 1e4 * y[1] * y[2], fast = 3e7 * y[1] * y[1];
  f[0] = back - slow;
  f[1] = slow - back - fast;
  f[2] = fast;
}

void ode_kepler(size_t n, double t, const double* y, double* f) {
  (void)n, (void)t;
  const double square = y[0] * y[0] + y[1] * y[1];
  const double pull = 1 / (square * sqrt(square));
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -pull * y[0];
  f[3] = -pull * y[1];
}

void ode_ball(size_t n, double t, const double* y, double* f) {
  (void)n, (void)t;
  f[0] = y[1];
  f[1] = -9.81 - 0.1 * y[1];
}

void ode_heat(size_t n, double t, const double* y, double* f) {
  (void)t;
  const size_t m = (size_t)(sqrt((double)n) + 0.5);
  const double rate = (double)((m + 1) * (m + 1));
  for (size_t row = 0; row < m; ++row) {
    for (size_t column = 0; column < m; ++column) {
      const size_t i = row * m + column;
      double sum = -4 * y[i];
      if (row > 0) sum += y[i - m];
      if (row + 1 < m) sum += y[i + m];
      if (column > 0) sum += y[i - 1];
      if (column + 1 < m) sum += y[i + 1];
      f[i] = rate * sum;
    }
  }
}

void ode_brusselator(size_t n, double t, const double* y, double* f) {
  (void)t;
  const size_t cells = n / 2;
  const double spread = 0.02 * (double)((cells + 1) * (cells + 1));
  for (size_t i = 0; i < cells; ++i) {
    const double u = y[2 * i], v = y[2 * i + 1];
    const double u_left = i > 0 ? y[2 * i - 2] : 1, v_left = i > 0 ? y[2 * i - 1] : 3;
    const double u_right = i + 1 < cells ? y[2 * i + 2] : 1;
    const double v_right = i + 1 < cells ? y[2 * i + 3] : 3;
    const double reaction = u * u * v;
    f[2 * i] = 1 + reaction - 4 * u + spread * (u_left - 2 * u + u_right);
    f[2 * i + 1] = 3 * u - reaction + spread * (v_left - 2 * v + v_right);
  }
}

void ode_pendulum(size_t n, double t, const double* y, double* f) {
  (void)n, (void)t;
  const double g = 13.7503671;  // a period of 2 s
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -y[0] * y[4];
  f[3] = -g - y[1] * y[4];
  f[4] = y[2] * y[2] + y[3] * y[3] - g * y[1] - y[4] * (y[0] * y[0] + y[1] * y[1]);
}
