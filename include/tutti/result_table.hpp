// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tutti/export.hpp>
#include <vector>

namespace tutti {

/// Interpolation of a column between rows.
enum class Motion {
  constant,    ///< one value only
  continuous,  ///< along a straight line
  discrete,    ///< constant until the next row
};

struct ResultColumn {
  std::string name;  ///< without the unit in the header
  std::string unit;
  Motion motion = Motion::continuous;
  bool is_stated = false;  ///< unit and motion come from the metadata, not from the values
  bool is_text = false;
  std::string description = {};    ///< if the file has it
  std::vector<double> numbers;     ///< one per row unless it is a text
  std::vector<std::string> texts;  ///< one per row if it is a text
};

/// The content of a result file. Two rows of the same time are the values before and after an
/// event.
struct TUTTI_API ResultTable {
  std::string name;  ///< the file, as it was given
  std::string time_name = "time";
  std::string time_unit = "s";
  std::vector<double> times;  ///< finite, non-decreasing
  std::vector<ResultColumn> columns;
  std::vector<std::string> notes;  ///< for the user

  /// The column of this name; blanks are ignored if no name is equal.
  const ResultColumn* find(std::string_view column) const;
  /// The columns that match one of the patterns (`*`, `?`), in the order of the patterns. The name
  /// of an array matches its elements.
  /// @throws Error(usage) for a pattern that matches nothing, with the nearest name
  std::vector<const ResultColumn*> select(const std::vector<std::string>& patterns) const;

 private:
  [[noreturn]] void fail_to_match(const std::string& pattern) const;
};

/// Reads a file of the format that its extension names; CSV if it names none, with the time in the
/// first column, where a header `name [unit]` gives a unit. Unit and motion come from
/// `<file>.meta.json` beside it if that contains the column, else from motion_of(). `true` and
/// `false` are 1 and 0; a missing number is NaN.
/// @throws Error(file) for files that cannot be read, and for decreasing times
TUTTI_API ResultTable read_results(const std::filesystem::path& file);

struct ResultOptions;
/// Writes a table in the format of the extension, with times in seconds, and its units and motions
/// to `<name>.meta.json`. Returns notes for the user.
/// @throws Error
TUTTI_API std::vector<std::string> write_results(const ResultTable& table,
                                                 const std::filesystem::path& file,
                                                 const ResultOptions& options);

/// The names of the columns without the time; reads only the required part of the file.
/// @throws Error(file)
TUTTI_API std::vector<std::string> result_columns(const std::filesystem::path& file);

/// A column is discrete if it keeps some value over two rows, and
/// - all its values are integers, or
/// - it never changes in two successive intervals: it jumps from plateau to plateau.
TUTTI_API Motion motion_of(const std::vector<double>& times, const std::vector<double>& values);

/// `<name>.meta.json` of a result file.
TUTTI_API std::filesystem::path metadata_path(const std::filesystem::path& result_file);

}  // namespace tutti
