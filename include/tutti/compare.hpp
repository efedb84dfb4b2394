// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <tutti/export.hpp>
#include <tutti/result_table.hpp>
#include <vector>

namespace tutti {

/// A column of the result that is compared with one of another name in the reference.
struct ColumnPair {
  std::string result, reference;
};

struct CompareOptions {
  enum class Measure { rms, largest };
  std::vector<std::string> variables = {};  ///< patterns; empty: every column of the reference
  /// Compared as well; other columns are compared with those of the same name.
  std::vector<ColumnPair> map = {};
  double tolerance = 0.02;         ///< 2 %, as in FMI's cross checks
  Measure measure = Measure::rms;  ///< compared with the tolerance
  double absolute = 0;             ///< accepted absolute difference, in the unit of the variable
  bool common = false;             ///< ignore columns and times that only the reference has
};

/// The difference of one variable from the reference.
struct VariableDifference {
  std::string name;         ///< in the reference
  std::string result_name;  ///< in the result; empty: the same
  std::string unit;
  bool is_text = false;
  bool discrete = false;  ///< compared as piecewise constant, not linear
  /// sqrt(mean over time of (result - reference)^2) / scale; a text: 1 where it differs. The last
  /// row of a discrete column represents the last interval, if it differs more than the value
  /// there.
  double rms = 0;
  double largest = 0;  ///< the largest difference at one time, divided by scale
  /// Range of the reference; if that is only rounding (1e-9 of the magnitude), its maximum
  /// magnitude; if that is zero, 1.
  double scale = 1;
  double time = 0;                ///< of the largest difference
  std::string result, reference;  ///< the values there
  std::string problem;            ///< why it cannot be measured, e.g. NaN on one side
  bool beyond = false;            ///< the tolerance (a text: it differs at all), or has a problem
};

struct Comparison {
  double from = 0, to = 0;                    ///< the time that both files cover
  std::vector<VariableDifference> variables;  ///< worst first
  std::vector<std::string> missing;           ///< requested, in the reference, not in the result
  std::vector<std::string> extra;             ///< in the result only
  bool covers_time = true;  ///< at most 1 % of the reference's time is not in the result
  std::vector<std::string> notes;
  std::size_t beyond = 0;  ///< number of variables
  bool agrees = true;
};

/// Compares over the union of both files' times, where the difference is piecewise linear and its
/// mean square is exact. Left limits are compared with left limits and right with right, so an
/// event in both files is not a difference; a shifted event counts for the time between. Times that
/// agree to 1e-9 are the same.
/// @throws Error(usage) if the files have no time or none of the chosen columns in common, or if a
/// column of the map does not exist or is mapped twice
TUTTI_API Comparison compare(const ResultTable& result, const ResultTable& reference,
                             const CompareOptions& options);

}  // namespace tutti
