// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <Eigen/Core>

#include "stability/coupled_system.hpp"

/// Only for the sources of this folder: Eigen is slow to compile.
namespace tutti::stability {

using Dense = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

inline Dense dense(const Matrix& matrix) {
  return Eigen::Map<const RowMajor>(matrix.values.data(), index(matrix.rows),
                                    index(matrix.columns));
}

inline Dense dense(const SparseMatrix& matrix) {
  Dense full = Dense::Zero(index(matrix.rows), index(matrix.columns));
  for (const auto& [row, column, value] : matrix.entries) full(index(row), index(column)) = value;
  return full;
}

inline Matrix plain(const Dense& matrix) {
  Matrix result(static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols()));
  Eigen::Map<RowMajor>(result.values.data(), matrix.rows(), matrix.cols()) = matrix;
  return result;
}

/// exp(matrix), by Padé approximation with scaling and squaring. In a separate source: Eigen's
/// matrix functions are slow to compile.
Dense exponential(const Dense& matrix);

/// One matrix of all subsystems on the diagonal.
inline Dense diagonal(const CoupledSystem& system, Matrix Subsystem::*member, std::size_t rows,
                      std::size_t columns) {
  Dense all = Dense::Zero(index(rows), index(columns));
  Eigen::Index row = 0, column = 0;
  for (const Subsystem& part : system.parts) {
    const Dense block = dense(part.*member);
    all.block(row, column, block.rows(), block.cols()) = block;
    row += block.rows();
    column += block.cols();
  }
  return all;
}

}  // namespace tutti::stability
