// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/result_table.hpp>
#include <tutti/verification.hpp>

namespace tutti::results {

/// What two runs of one system may differ by.
struct Allowance {
  double absolute = 0, relative = 0;
  double shift = 0;  ///< of the time of a jump
};

/// How far each column of a result is from that of a more accurate run, the largest deviation
/// first.
///
/// Compared is at the rows of the result. Where the reference has no row, a polynomial through the
/// four rows around stands for it, and what that may be wrong by is no deviation. A jump of either
/// run that is within `shift` is at the same time in both: there, the value before it and the value
/// behind it are equally right. What moves smoothly is not shifted: of an oscillation, a wrong
/// phase is an error.
/// Columns that only one of them has are left out.
std::vector<Deviation> deviations_of(const ResultTable& result, const ResultTable& reference,
                                     const Allowance& allowance);

}  // namespace tutti::results
