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
  double tolerance = 0.02;         ///< 2 %: what FMI's cross checks ask of a result
  Measure measure = Measure::rms;  ///< what is held against the tolerance
  double absolute = 0;             ///< differences up to this (in the variable's unit) are fine
  bool common = false;  ///< what only the reference has (columns, times) is no difference
};

/// How far one variable is from the reference.
struct VariableDifference {
  std::string name;         ///< in the reference
  std::string result_name;  ///< in the result; empty: the same
  std::string unit;
  bool is_text = false;
  bool discrete = false;  ///< compared with values held, not along lines
  /// sqrt(mean over time of (result - reference)^2) / scale; a text: 1 where it differs. The last
  /// row of a discrete column stands for the last interval, if it differs more than what holds
  /// there.
  double rms = 0;
  double largest = 0;  ///< the largest difference at one time, divided by scale
  /// Largest less smallest value of the reference; where that is no more than rounding (1e-9 of the
  /// magnitude) its largest magnitude; where that is zero 1.
  double scale = 1;
  double time = 0;                ///< of the largest difference
  std::string result, reference;  ///< the values there
  std::string problem;            ///< why it cannot be measured, e.g. not a number on one side
  bool beyond = false;            ///< the tolerance (a text: it differs at all), or has a problem
};

struct Comparison {
  double from = 0, to = 0;                    ///< the time that both files cover
  std::vector<VariableDifference> variables;  ///< worst first
  std::vector<std::string> missing;           ///< asked for, in the reference, not in the result
  std::vector<std::string> extra;             ///< in the result only
  bool covers_time = true;  ///< at most 1 % of the reference's time is not in the result
  std::vector<std::string> notes;
  std::size_t beyond = 0;  ///< number of variables
  bool agrees = true;
};

/// Compares over the union of both files' times, where the difference is piecewise linear and its
/// mean square is exact. Left limits are compared with left limits and right with right, so an
/// event that is in both files is no difference; one that comes a little earlier or later counts
/// for the time between. Times that agree to 1e-9 are the same.
/// @throws Error(usage) if the files have no time or none of the chosen columns in common, or if a
/// column of the map does not exist or is mapped twice
TUTTI_API Comparison compare(const ResultTable& result, const ResultTable& reference,
                             const CompareOptions& options);

}  // namespace tutti
