// SPDX-License-Identifier: BSD-2-Clause
#include "stability/compression.hpp"

#include <Eigen/QR>

#include "stability/dense.hpp"

namespace tutti::stability {
namespace {

/// Orthonormal columns that span those of a matrix.
Dense basis_of(const Dense& matrix) {
  if (matrix.size() == 0) return Dense(matrix.rows(), 0);
  Eigen::ColPivHouseholderQR<Dense> qr(matrix);
  qr.setThreshold(1e-11);  // relative; entries may come from differences
  return Dense(qr.householderQ() * Dense::Identity(matrix.rows(), qr.rank()));
}

/// Columns of equal weight, so that large units do not hide small ones.
Dense normalized(Dense matrix) {
  for (Eigen::Index j = 0; j < matrix.cols(); ++j)
    if (const double norm = matrix.col(j).norm(); norm > 0) matrix.col(j) /= norm;
  return matrix;
}

/// Blocks on the diagonal.
Dense stacked(const std::vector<Dense>& blocks) {
  Eigen::Index rows = 0, columns = 0;
  for (const Dense& block : blocks) rows += block.rows(), columns += block.cols();
  Dense all = Dense::Zero(rows, columns);
  rows = columns = 0;
  for (const Dense& block : blocks) {
    all.block(rows, columns, block.rows(), block.cols()) = block;
    rows += block.rows();
    columns += block.cols();
  }
  return all;
}

/// L times a matrix.
Dense connected(const SparseMatrix& l, const Dense& outputs) {
  Dense inputs = Dense::Zero(index(l.rows), outputs.cols());
  for (const auto& [row, column, factor] : l.entries)
    inputs.row(index(row)) += factor * outputs.row(index(column));
  return inputs;
}

std::size_t columns_of(const std::vector<Dense>& blocks) {
  Eigen::Index columns = 0;
  for (const Dense& block : blocks) columns += block.cols();
  return static_cast<std::size_t>(columns);
}

}  // namespace

std::optional<CoupledSystem> compressed(const CoupledSystem& system, std::size_t most) {
  const std::size_t states = system.states();
  if (states > most) return std::nullopt;
  std::vector<Dense> reached;  // by subsystem, a basis of its outputs
  for (const Subsystem& part : system.parts) reached.push_back(basis_of(normalized(dense(part.c))));
  for (bool grows = true; grows;) {
    grows = false;
    if (states + 3 * columns_of(reached) > most) return std::nullopt;
    const Dense inputs = connected(system.l, stacked(reached));
    Eigen::Index first = 0;
    for (std::size_t i = 0; i < system.parts.size(); ++i) {
      const Dense d = dense(system.parts[i].d);
      const Dense from_inputs = d * inputs.middleRows(first, d.cols());
      first += d.cols();
      if (from_inputs.isZero(0)) continue;
      Dense both(d.rows(), reached[i].cols() + from_inputs.cols());
      both << reached[i], normalized(from_inputs);
      const Dense larger = basis_of(both);
      if (larger.cols() == reached[i].cols()) continue;
      reached[i] = larger;
      grows = true;
    }
  }

  CoupledSystem small;
  std::vector<Dense> felt;  // by subsystem, a basis of the inputs that have an effect
  for (std::size_t i = 0; i < system.parts.size(); ++i) {
    const Subsystem& part = system.parts[i];
    const Dense b = dense(part.b), d = reached[i].transpose() * dense(part.d);
    Dense effects(b.cols(), b.rows() + d.rows());
    effects << b.transpose(), d.transpose();
    felt.push_back(basis_of(normalized(effects)));
    small.parts.push_back({part.a, plain(b * felt[i]),
                           plain(reached[i].transpose() * dense(part.c)), plain(d * felt[i])});
  }
  small.l = plain(stacked(felt).transpose() * connected(system.l, stacked(reached)));
  return small;
}

}  // namespace tutti::stability
