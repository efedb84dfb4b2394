// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/csv.hpp"
#include "base/time_grid.hpp"
#include "models/input_signal.hpp"
#include "models/table_shape.hpp"
#include "models/value_set.hpp"

namespace tutti::models {

/// External inputs over time, from a CSV file whose first column is the time. Continuous inputs are
/// interpolated linearly, discrete ones are constant between rows; before the first and after the
/// last row the nearest row applies. Two rows of the same time are a discontinuity: the later row
/// applies from that time on.
class InputTable final : public InputSignal {
 public:
  InputTable() = default;  ///< no inputs

  /// @throws Error(file) for a column that is not an input, a cell of the wrong type, decreasing
  /// times
  InputTable(const CsvTable& csv, const ModelDescription& description,
             const StructuralValues& structure);
  /// The same for some columns, with other names than in the header.
  struct Column {
    std::size_t index;
    std::string name;
    double factor = 1, offset = 0;  ///< of real inputs: factor * cell + offset
  };
  /// @param time_factor seconds in a unit of the first column
  InputTable(const CsvTable& csv, const std::vector<Column>& columns,
             const ModelDescription& description, const StructuralValues& structure,
             double time_factor = 1);

  /// Moves times that differ from a communication point by rounding only to that point, so that
  /// changes take effect there and not a step later.
  void align(const TimeGrid& grid);

  /// The inputs (and tunable parameters) that the table drives, as indices of variables.
  const std::vector<std::int32_t>& variables() const { return variables_; }
  /// The table may drive only some elements of an array.
  bool drives(const Scalar& scalar) const;

  /// @pre inputs is a ValueSet of variables()
  void write(double t, ValueSet& inputs) override {
    if (t < from_ || t >= until_) move_to(t);
    write_row(t, inputs);
  }
  void write_before(double t, ValueSet& inputs) override;
  /// The right-hand limits at t, where times that differ by less than `nearness` are equal.
  void write_near(double t, double nearness, ValueSet& inputs);
  /// The same for continuous double inputs only: the others are unchanged.
  void lead_to(double t, ValueSet& inputs);
  double next_jump(double t) const override;
  void resolve(double rtol) override;
  double next_knot(double t) const override;

  /// The inputs that change continuously: those in double precision, then those in single.
  std::size_t continuous_count() const { return ramps_.size() + single_ramps_.size(); }
  const Scalar& continuous_input(std::size_t i) const { return ramp(i).scalar; }
  PiecewiseLine line_of(std::size_t i) const { return {times_, ramp(i).values}; }

 private:
  /// A continuous input, linear between rows...
  struct Ramp {
    Scalar scalar;
    std::vector<double> values;
  };
  /// ...and its line in the current row.
  struct Line {
    std::size_t slot = 0;
    double here = 0, slope = 0;
  };
  struct Steps {
    Scalar scalar;
    std::vector<Cell> values;
  };
  struct Texts {
    Scalar scalar;
    std::vector<std::string> values;
  };
  void write_row(double t, ValueSet& inputs) {
    write_lines(t, inputs);
    if (has_others_) write_others(t - base_, inputs);
  }
  void write_lines(double t, ValueSet& inputs) {
    const double since = t - base_;
    inputs.write_doubles(lines_,
                         [since](const Line& line) { return line.here + since * line.slope; });
  }
  void move_to(double t);
  void move_before(double t);
  /// Enters the last of the first `count` rows; 0: before the first row.
  void enter_row(std::size_t count);
  void write_others(double since, ValueSet& inputs) const;
  void add_column(const CsvTable& csv, const Column& column, const Scalar& scalar,
                  const ModelDescription& description, ValueSet& scratch);
  void find_jumps();
  const Ramp& ramp(std::size_t i) const {
    return i < ramps_.size() ? ramps_[i] : single_ramps_[i - ramps_.size()];
  }

  std::vector<std::int32_t> variables_;
  std::vector<double> times_;
  std::vector<double> jumps_;  // sorted
  std::vector<double> knots_;  // sorted; see resolve()

  // The current row applies in [from_, until_); base_ is the time at which its lines start.
  std::size_t row_ = 0;
  double from_ = -std::numeric_limits<double>::infinity();
  double until_ = std::numeric_limits<double>::infinity();
  double base_ = 0;

  std::vector<Ramp> ramps_;  // in double precision
  std::vector<Line> lines_;  // one for each
  bool has_others_ = false;
  std::vector<Ramp> single_ramps_;  // in single precision
  std::vector<Line> single_lines_;
  std::vector<Steps> steps_;
  std::vector<Texts> texts_;
};

/// Index of the column with this header; a unit in brackets may be omitted: `T` finds `T [degC]`.
/// @throws Error(file)
std::size_t find_column(const CsvTable& csv, std::string_view name);

/// Signals from outside for one component.
struct ExternalSignals {
  std::uint32_t component = 0;
  std::unique_ptr<InputTable> table;
  std::unique_ptr<ValueSet> values;  ///< of the table's variables
  bool holds_end = false;            ///< the value at the end of a step is used for the whole step
  bool is_followed = false;          ///< the component follows it inside a step
};

}  // namespace tutti::models
