// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <complex>
#include <span>

#include "stability/matrix.hpp"

namespace tutti::stability {

using Complex = std::complex<double>;

/// Sorted by magnitude, the largest first. Infinite if an entry is not finite.
std::vector<Complex> eigenvalues(const Matrix& matrix);
double spectral_radius(const Matrix& matrix);
/// The largest real part; minus infinity without rows.
double spectral_abscissa(const Matrix& matrix);

/// Participation factors of the largest eigenvalue: by row, |left| times |right| eigenvector, of
/// sum 1: the sensitivity of the eigenvalue to the diagonal entries.
std::vector<double> participation(const Matrix& matrix);

/// All roots of coefficients[0] + coefficients[1] z + ... + z^n: the last coefficient, 1, is
/// omitted.
std::vector<Complex> roots_of_monic(std::span<const Complex> coefficients);

}  // namespace tutti::stability
