// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/result_table.hpp>
#include <tutti/verification.hpp>

namespace tutti::results {

/// Allowed differences between two runs of one system.
struct Allowance {
  double absolute = 0, relative = 0;
  double shift = 0;  ///< of the time of a jump
};

/// The deviation of each column of a result from that of a more accurate run, the largest first.
///
/// They are compared at the rows of the result. Where the reference has no row, it is interpolated
/// by a polynomial through the four neighbouring rows, whose possible error is not counted as
/// deviation. Jumps of the two runs within `shift` are treated as simultaneous: there, the values
/// before and after the jump are equally correct. Smooth changes are not shifted: a wrong phase of
/// an oscillation is an error. Columns that only one of them has are ignored.
std::vector<Deviation> deviations_of(const ResultTable& result, const ResultTable& reference,
                                     const Allowance& allowance);

}  // namespace tutti::results
