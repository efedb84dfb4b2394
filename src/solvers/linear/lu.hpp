// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <tutti/ode.hpp>

namespace tutti::solvers {

/// The factors of a real or complex matrix that is factorized many times with different values in
/// the same pattern: dense (Eigen, partial pivoting) or sparse (KLU; the order of elimination is
/// chosen once, the pivots again only where the old ones lose accuracy).
template <class Scalar>
class Lu {
 public:
  /// @param pattern null: a full matrix, column by column. Must outlive this object.
  Lu(std::size_t size, const SparsityPattern* pattern);
  ~Lu();
  Lu(const Lu&) = delete;
  Lu& operator=(const Lu&) = delete;

  /// Values to fill before factorize(): of the pattern, or of the whole matrix.
  std::span<Scalar> values();
  /// False: the matrix is singular.
  bool factorize();
  /// After factorize() returned false: a column that depends on others.
  std::size_t singular_column() const;
  /// @pre factorize() returned true. The solution replaces the right-hand side.
  void solve(std::span<Scalar> x);

  struct Factors;

 private:
  std::unique_ptr<Factors> factors_;
};

extern template class Lu<double>;
extern template class Lu<std::complex<double>>;

}  // namespace tutti::solvers
