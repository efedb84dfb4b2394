// SPDX-License-Identifier: BSD-2-Clause
#include "stability/coupled_system.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <map>

#include "stability/dense.hpp"

namespace tutti::stability {
namespace {

Dense feed_through(const CoupledSystem& system) {
  return diagonal(system, &Subsystem::d, system.outputs(), system.inputs());
}

constexpr double smallest_column = 1e-11;  // relative; entries may come from differences

/// Orthonormal columns that span those of a matrix.
Dense basis_of(const Dense& matrix) {
  if (matrix.size() == 0) return Dense(matrix.rows(), 0);
  Eigen::ColPivHouseholderQR<Dense> qr(matrix);
  qr.setThreshold(smallest_column);
  return Dense(qr.householderQ() * Dense::Identity(matrix.rows(), qr.rank()));
}

/// Orthonormal columns that complete an orthonormal basis.
Dense complement_of(const Dense& basis) {
  const Eigen::Index rows = basis.rows(), columns = basis.cols();
  if (columns == 0) return Dense::Identity(rows, rows);
  const Eigen::HouseholderQR<Dense> qr(basis);
  return Dense(qr.householderQ() * Dense::Identity(rows, rows)).rightCols(rows - columns);
}

/// Only the outputs in these directions, and no states.
CoupledSystem restricted(const CoupledSystem& system, const std::vector<Dense>& directions) {
  CoupledSystem rest;
  std::vector<std::size_t> owner, local, first;  // by output; by part, its first direction
  std::size_t count = 0;
  for (std::size_t i = 0; i < system.parts.size(); ++i) {
    const Subsystem& part = system.parts[i];
    const auto width = static_cast<std::size_t>(directions[i].cols());
    rest.parts.push_back({Matrix(0, 0), Matrix(0, part.inputs()), Matrix(width, 0),
                          plain(directions[i].transpose() * dense(part.d))});
    for (std::size_t k = 0; k < part.outputs(); ++k) owner.push_back(i), local.push_back(k);
    first.push_back(count);
    count += width;
  }
  rest.l = {system.inputs(), count};
  std::map<std::pair<std::size_t, std::size_t>, double> entries;
  for (const auto& [input, output, factor] : system.l.entries) {
    const Dense& w = directions[owner[output]];
    for (Eigen::Index k = 0; k < w.cols(); ++k)
      if (const double value = w(index(local[output]), k); value != 0)
        entries[{input, first[owner[output]] + static_cast<std::size_t>(k)}] += factor * value;
  }
  for (const auto& [place, value] : entries)
    rest.l.entries.push_back({place.first, place.second, value});
  return rest;
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

std::size_t CoupledSystem::sum(std::size_t (Subsystem::*count)() const) const {
  std::size_t total = 0;
  for (const Subsystem& part : parts) total += (part.*count)();
  return total;
}

CoupledSystem CoupledSystem::without_states() const {
  CoupledSystem bare = *this;
  for (Subsystem& part : bare.parts) {
    part.a = Matrix(0, 0);
    part.b = Matrix(0, part.inputs());
    part.c = Matrix(part.outputs(), 0);
  }
  return bare;
}

Matrix input_loop_gain(const CoupledSystem& system) {
  return plain(dense(system.l) * feed_through(system));
}

Matrix coupled_matrix(const CoupledSystem& system) {
  if (system.states() == 0) return {};
  const Dense l = dense(system.l), d = feed_through(system);
  const Dense a = diagonal(system, &Subsystem::a, system.states(), system.states());
  const Dense b = diagonal(system, &Subsystem::b, system.states(), system.inputs());
  const Dense c = diagonal(system, &Subsystem::c, system.outputs(), system.states());
  const Eigen::FullPivLU<Dense> solver(Dense::Identity(d.rows(), d.rows()) - d * l);
  if (!solver.isInvertible()) return {};
  return plain(a + b * l * solver.solve(c));
}

std::optional<Compressed> compressed(const CoupledSystem& system, std::size_t most) {
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
  std::vector<Dense> left_out;
  for (const Dense& basis : reached) left_out.push_back(complement_of(basis));
  return Compressed{std::move(small), restricted(system, left_out)};
}

}  // namespace tutti::stability
