// SPDX-License-Identifier: BSD-2-Clause
#include "solvers/linear/pencil.hpp"

#include <algorithm>
#include <complex>

namespace tutti::solvers {
namespace {

using Kind = MatrixShape::Kind;

constexpr std::size_t least_sparse_pencil = 30;  // below, dense elimination is faster in any case

/// The places of both and the diagonal.
SparsityPattern merged_pattern(std::size_t size, const MatrixShape& a, const MatrixShape& b) {
  SparsityPattern merged;
  merged.row_count = size;
  merged.column_start.reserve(size + 1);
  merged.column_start.push_back(0);
  std::vector<std::int64_t> rows;
  for (std::size_t column = 0; column < size; ++column) {
    rows.assign(1, static_cast<std::int64_t>(column));
    for (const SparsityPattern* pattern : {a.pattern, b.pattern}) {
      if (pattern == nullptr) continue;
      const auto more = pattern->rows_of(column);
      rows.insert(rows.end(), more.begin(), more.end());
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    merged.row_index.insert(merged.row_index.end(), rows.begin(), rows.end());
    merged.column_start.push_back(static_cast<std::int64_t>(merged.row_index.size()));
  }
  return merged;
}

}  // namespace

std::size_t MatrixShape::value_count(std::size_t size) const {
  return kind == Kind::identity ? 0 : kind == Kind::full ? size * size : pattern->entry_count();
}

Pencil::Pencil(std::size_t size, MatrixShape m, MatrixShape j, Storage storage)
    : size_(size), m_(m), j_(j) {
  const bool can_be_sparse = m.kind != Kind::full && j.kind == Kind::sparse;
  if (can_be_sparse && storage != Storage::dense &&
      (storage == Storage::sparse || size >= least_sparse_pencil)) {
    pattern_ = merged_pattern(size, m, j);
    is_sparse_ = storage == Storage::sparse || pattern_.entry_count() < size * size / 4;
  }
  m_places_ = places(m);
  j_places_ = places(j);
}

std::size_t Pencil::place(std::size_t row, std::size_t column) const {
  if (!is_sparse_) return column * size_ + row;
  const auto rows = pattern_.rows_of(column);
  const auto found = std::ranges::lower_bound(rows, static_cast<std::int64_t>(row));
  return static_cast<std::size_t>(pattern_.column_start[column] + (found - rows.begin()));
}

std::vector<std::size_t> Pencil::places(const MatrixShape& shape) const {
  std::vector<std::size_t> found;
  for (std::size_t column = 0; column < size_; ++column) {
    if (shape.kind == Kind::identity) found.push_back(place(column, column));
    if (shape.kind != Kind::sparse) continue;
    for (const std::int64_t row : shape.pattern->rows_of(column))
      found.push_back(place(static_cast<std::size_t>(row), column));
  }
  return found;
}

template <class Scalar>
void Pencil::fill(Scalar c, std::span<const double> m, std::span<const double> j,
                  std::span<Scalar> result) const {
  if (j_.kind == Kind::full) {
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = -j[k];
  } else {
    std::ranges::fill(result, Scalar{});
    for (std::size_t k = 0; k < j.size(); ++k) result[j_places_[k]] -= j[k];
  }
  switch (m_.kind) {
    case Kind::identity:
      for (const std::size_t diagonal : m_places_) result[diagonal] += c;
      break;
    case Kind::full:
      for (std::size_t k = 0; k < m.size(); ++k) result[k] += c * m[k];
      break;
    case Kind::sparse:
      for (std::size_t k = 0; k < m.size(); ++k) result[m_places_[k]] += c * m[k];
      break;
  }
}

template void Pencil::fill<double>(double, std::span<const double>, std::span<const double>,
                                   std::span<double>) const;
template void Pencil::fill<std::complex<double>>(std::complex<double>, std::span<const double>,
                                                 std::span<const double>,
                                                 std::span<std::complex<double>>) const;

void subtract_product(const MatrixShape& shape, std::span<const double> values,
                      std::span<const double> x, std::span<double> result) {
  switch (shape.kind) {
    case Kind::identity:
      for (std::size_t i = 0; i < x.size(); ++i) result[i] -= x[i];
      break;
    case Kind::full:
      for (std::size_t j = 0; j < x.size(); ++j)
        for (std::size_t i = 0; i < result.size(); ++i)
          result[i] -= values[j * x.size() + i] * x[j];
      break;
    case Kind::sparse: {
      std::size_t k = 0;
      for (std::size_t j = 0; j < x.size(); ++j)
        for (const std::int64_t row : shape.pattern->rows_of(j))
          result[static_cast<std::size_t>(row)] -= values[k++] * x[j];
      break;
    }
  }
}

}  // namespace tutti::solvers
