// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>

/// The mechanics of the woodpecker toy, see README.md. Notation: sleeve S, bird B; z height of the
/// sleeve, phiS and phiB angles; v, wS, wB their derivatives; lam1, lam2 forces of the pole.
namespace woodpecker {

enum class Phase { free, blocked_below, blocked_above };  // I, II, III of the thesis

/// Masses, lengths, moments of inertia, spring and gravity, in SI units.
inline constexpr double mS = 3e-4, mB = 4.5e-3, JS = 5e-9, JB = 7e-7, r0 = 2.5e-3, rS = 3.1e-3,
                        hS = 5.8e-3, lS = 1e-2, lG = 1.5e-2, lB = 2.01e-2, hB = 2e-2, cP = 5.6e-3,
                        g = 9.81;

/// M a = forces + those of the pole, a = (z'', phiS'', phiB'').
inline constexpr double M[3][3] = {{mS + mB, mB* lS, mB* lG},
                                   {mB * lS, JS + mB* lS* lS, mB* lS* lG},
                                   {mB * lG, mB* lS* lG, JB + mB* lG* lG}};

inline std::array<double, 3> forces(double phiS, double phiB) {
  return {-(mS + mB) * g, cP * (phiB - phiS) - mB * lS * g, cP * (phiS - phiB) - mB * lG * g};
}

/// The sign of lam1 in the equation of phiS.
inline double side(Phase phase) { return phase == Phase::blocked_above ? 1 : -1; }

/// Accelerations, and forces of the pole.
struct Motion {
  std::array<double, 3> a{};
  double lam1 = 0, lam2 = 0;
};

inline Motion motion(Phase phase, double phiS, double phiB) {
  const std::array<double, 3> f = forces(phiS, phiB);
  Motion found;
  auto& [a, lam1, lam2] = found;
  if (phase != Phase::free) {
    a[2] = f[2] / M[2][2];
    lam2 = f[0] - M[0][2] * a[2];
    lam1 = side(phase) * (M[1][2] * a[2] - f[1] + rS * lam2) / hS;
    return found;
  }
  // Cramer's rule for the symmetric matrix.
  const double c00 = M[1][1] * M[2][2] - M[1][2] * M[1][2],
               c01 = M[0][2] * M[1][2] - M[0][1] * M[2][2],
               c02 = M[0][1] * M[1][2] - M[0][2] * M[1][1],
               c11 = M[0][0] * M[2][2] - M[0][2] * M[0][2],
               c12 = M[0][1] * M[0][2] - M[0][0] * M[1][2],
               c22 = M[0][0] * M[1][1] - M[0][1] * M[0][1],
               det = M[0][0] * c00 + M[0][1] * c01 + M[0][2] * c02;
  a = {(c00 * f[0] + c01 * f[1] + c02 * f[2]) / det, (c01 * f[0] + c11 * f[1] + c12 * f[2]) / det,
       (c02 * f[0] + c12 * f[1] + c22 * f[2]) / det};
  return found;
}

/// Distances of the sleeve to where it blocks, and of the beak to the pole; the last one is
/// positive when it hits.
inline double gap_below(double phiS) { return hS * phiS + (rS - r0); }
inline double gap_above(double phiS) { return hS * phiS - (rS - r0); }
inline double beak(double phiB) { return hB * phiB - lS - lG + lB + r0; }

/// What changes in an event; y = (z, phiS, phiB, v, wS, wB). The beak bounces back.
template <class States>
void hit(States&& y) {
  y[5] = -y[5];
}
/// The sleeve stops, its momentum goes to the bird.
template <class States>
void block(States&& y) {
  y[5] += mB * lG * (y[3] + lS * y[4]) / M[2][2];
  y[3] = y[4] = 0;
}

}  // namespace woodpecker
