// SPDX-License-Identifier: BSD-2-Clause
// Right-hand sides for all measured integrators: Tutti, CVODE called from C, and scipy,
// which loads them as a shared library. Each call is f(t, y) of n states; autonomous.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*OdeRightHandSide)(size_t n, double t, const double* y, double* f);

/// x1' = x2, x2' = mu ((1 - x1^2) x2 - x1), mu = 2000
void ode_van_der_pol(size_t n, double t, const double* y, double* f);
/// Its Jacobian, column by column.
void ode_van_der_pol_jacobian(const double* y, double* values);
/// Three reactions with constants 0.04, 3e7, 1e4 (H. H. Robertson, 1966).
void ode_robertson(size_t n, double t, const double* y, double* f);
/// A planet of small mass around one of mass 1: x, y, x', y'
void ode_kepler(size_t n, double t, const double* y, double* f);
/// A ball in air: height, speed; g = 9.81, linear drag of 0.1/s. The impacts are events.
void ode_ball(size_t n, double t, const double* y, double* f);
/// u_t = u_xx + u_yy on the unit square, u = 0 at its border; n = m^2 points inside
void ode_heat(size_t n, double t, const double* y, double* f);
/// Two reactants that diffuse along a line, 0.02 u_xx (E. Hairer, S. P. Norsett, G. Wanner, Solving
/// Ordinary Differential Equations I, I.16): u1, v1, u2, v2, ...; fixed values outside
void ode_brusselator(size_t n, double t, const double* y, double* f);
/// A pendulum of unit length in its position, speed, and force in the rod. Index 1: the last
/// row is the constraint x^2 + y^2 = 1 differentiated twice, 0 = f.
void ode_pendulum(size_t n, double t, const double* y, double* f);

#ifdef __cplusplus
}
#endif
