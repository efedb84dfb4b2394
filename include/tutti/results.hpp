// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tutti/export.hpp>
#include <tutti/model_description.hpp>
#include <tutti/result_group.hpp>
#include <tutti/result_table.hpp>
#include <vector>

namespace tutti {

/// One recorded scalar or array element.
struct Column {
  std::string name;  ///< `y`, `y[1]`, `A[1,2]`
  Type type{};
  std::string unit;
  bool discrete = false;  ///< piecewise constant
  std::string description = {};
};

/// A value by the type of its column: floats in `real`, signed integers and enumerations in
/// `integer`, unsigned ones and booleans in `natural`, strings and binaries as an index into
/// Row::texts (binaries as hexadecimal text).
union Cell {
  double real;
  std::int64_t integer;
  std::uint64_t natural;
};

/// The number in a cell of any type but string and binary.
constexpr double as_real(Type type, Cell cell) {
  switch (type) {
    case Type::float32:
    case Type::float64:
      return cell.real;
    case Type::int8:
    case Type::int16:
    case Type::int32:
    case Type::int64:
    case Type::enumeration:
      return static_cast<double>(cell.integer);
    default:
      return static_cast<double>(cell.natural);
  }
}

struct Row {
  double time = 0;
  std::span<const Cell> cells;
  std::span<const std::string_view> texts;
};

/// Receives the results of a run in order of time. Two rows of the same time are the two sides of
/// an event.
class TUTTI_API Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin(std::span<const Column> columns) = 0;
  virtual void row(const Row& row) = 0;
  /// Called from time to time between rows: earlier rows should become visible to other processes.
  virtual void flush() {}
  /// The run rolls back to the point with this number of rows, 0 if it restarts: later rows are
  /// void. False: they can no longer be removed.
  virtual bool rewind(std::uint64_t /*rows*/) { return false; }
  /// Instead of begin(), when a run resumes: new rows follow the first rows of the earlier run in
  /// the same file, whose number is given; `last` is the last of them, without cells if it is not
  /// known. False: not possible, or the
  /// file contains other rows.
  virtual bool resume(std::span<const Column> /*columns*/, std::uint64_t /*rows*/,
                      const Row& /*last*/) {
    return false;
  }
  /// Called once at the end of a run, also of a failed one: all rows should be stored.
  virtual void finish() = 0;
  /// What the user should know about the stored results, for example which columns the format
  /// cannot store; complete after finish().
  virtual std::vector<std::string> notes() const { return {}; }
  /// Why it cannot be used in a process that loads FMUs: the end of a sentence about it; empty: it
  /// can.
  virtual std::string_view needs_own_process() const { return {}; }
};

struct ResultOptions {
  bool compress = false;
  std::vector<ResultGroup> groups = {};  ///< the first one that matches a variable has it
};

/// In the format of the extension of the file, by default CSV. Numbers are written with all
/// significant digits.
/// @throws Error(file) here or later when the file cannot be written; Error(usage) for a format
/// that cannot be compressed, and for groups that are not valid
TUTTI_API std::unique_ptr<Observer> make_result_writer(const std::filesystem::path& file,
                                                       const ResultOptions& options = {});
/// `<results>-<name>` with the same extension, as of groups.
TUTTI_API std::filesystem::path part_of_results(const std::filesystem::path& result_file,
                                                std::string_view name);
/// CSV, with any extension.
TUTTI_API std::unique_ptr<Observer> make_csv_writer(const std::filesystem::path& file);
/// Its extension is that of a result format.
TUTTI_API bool is_result_file(const std::filesystem::path& file);

/// A script for gnuplot that draws a file which make_result_writer() wrote: a plot for every unit.
TUTTI_API std::string gnuplot_text(const std::filesystem::path& result_file,
                                   std::span<const Column> columns);
/// The same in `<name>.gnuplot` beside the results. @throws Error(file)
TUTTI_API void write_gnuplot(const std::filesystem::path& result_file,
                             std::span<const Column> columns);
/// Its path. @throws Error(usage) if gnuplot cannot read files of that format
TUTTI_API std::filesystem::path gnuplot_path(const std::filesystem::path& result_file);

/// Collects rows and draws them with characters, all over the same time: with color one panel per
/// unit, without one per column.
class TUTTI_API TerminalPlot : public Observer {
 public:
  struct Options {
    std::size_t width = 78;   ///< in characters, with the axis
    std::size_t height = 20;  ///< of all panels together
    bool color = false;
    std::size_t curves = 4;  ///< maximum number; further columns are omitted, with a note
  };
  explicit TerminalPlot(Options options) : options_(options) {}
  void begin(std::span<const Column> columns) override;
  void row(const Row& row) override;
  bool rewind(std::uint64_t rows) override;
  /// The earlier rows are not drawn.
  bool resume(std::span<const Column> columns, std::uint64_t rows, const Row& last) override;
  void finish() override {}
  std::string draw() const;

 private:
  struct Source {
    std::size_t cell = 0;  // in the row
    Type type{};
  };
  Options options_;
  std::size_t left_out_ = 0;
  std::vector<Source> sources_;  // one per column of the table
  ResultTable table_;
};

}  // namespace tutti
