// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <tutti/ode.hpp>
#include <vector>

namespace tutti::solvers {

/// The shape of a matrix: full (its values column by column), sparse, or the identity, which has no
/// values.
struct MatrixShape {
  enum class Kind { identity, full, sparse } kind = Kind::identity;
  const SparsityPattern* pattern = nullptr;  ///< of a sparse one

  /// Null: full.
  static MatrixShape stored(const SparsityPattern* pattern) {
    return {pattern != nullptr ? Kind::sparse : Kind::full, pattern};
  }
  std::size_t value_count(std::size_t size) const;
};

enum class Storage { automatic, dense, sparse };

/// The matrices c M - J for any c: the places of the values of M and J are found once. Sparse if
/// both are, and if this is faster.
class Pencil {
 public:
  /// @pre patterns outlive this object; `sparse` needs them
  Pencil(std::size_t size, MatrixShape m, MatrixShape j, Storage storage = Storage::automatic);

  /// Null: full, column by column.
  const SparsityPattern* pattern() const { return is_sparse_ ? &pattern_ : nullptr; }
  /// result = c M - J
  template <class Scalar>
  void fill(Scalar c, std::span<const double> m, std::span<const double> j,
            std::span<Scalar> result) const;

 private:
  std::size_t place(std::size_t row, std::size_t column) const;
  std::vector<std::size_t> places(const MatrixShape& shape) const;

  std::size_t size_;
  MatrixShape m_, j_;
  bool is_sparse_ = false;
  SparsityPattern pattern_;
  std::vector<std::size_t> m_places_, j_places_;  ///< not of full ones: the same
};

/// result -= A x
void subtract_product(const MatrixShape& shape, std::span<const double> values,
                      std::span<const double> x, std::span<double> result);

}  // namespace tutti::solvers
