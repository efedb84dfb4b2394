// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "stability/spectrum.hpp"

namespace tutti::stability {

/// An eigenvalue, with the participation of the rows: |left| times |right| eigenvector, of sum 1.
struct Mode {
  Complex value;
  /// Empty: the eigenvalue is multiple (or nearly so) without a full set of eigenvectors.
  std::vector<double> participation;
};

/// Sorted by magnitude, the smallest first; of a complex pair the one with positive imaginary part
/// first. The matrix is balanced before, so that the units of its rows hardly matter.
/// @throws Error(numeric) if an entry is not finite or the iteration does not converge
std::vector<Mode> find_modes(const Matrix& matrix);

}  // namespace tutti::stability
