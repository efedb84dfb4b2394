// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tutti/export.hpp>
#include <tutti/model_description.hpp>

/// What the ModelStructure of an FMU states of its equations.
namespace tutti {

/// Figures of the Jacobian: the derivatives of the continuous states by these states. The elements
/// of arrays count one by one, with the start values of structural parameters as sizes.
struct JacobianFigures {
  std::size_t states = 0;
  std::uint64_t nonzeros = 0;      ///< elements that can differ from zero
  std::size_t half_bandwidth = 0;  ///< the largest distance of one from the diagonal
  /// Number of directional derivatives, or differences, that compute it: columns of one group have
  /// no row in common. 0: the matrix is too large to count them here.
  std::size_t column_groups = 0;
  std::size_t row_groups = 0;  ///< the same for rows and adjoint derivatives
};
/// Nothing: there are no continuous states, or the description does not list them (FMI 1.0).
TUTTI_API std::optional<JacobianFigures> jacobian_figures(const ModelDescription& description);

/// A drawing of ModelStructure for a terminal: rows are derivatives, outputs and event indicators,
/// columns states and inputs; a character shows how a row depends on a column. A second drawing has
/// the initial unknowns, if any are listed. Larger ones than 60 columns or 100 rows are drawn in
/// blocks.
TUTTI_API std::string structure_text(const ModelDescription& description);

}  // namespace tutti
