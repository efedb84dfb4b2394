// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "base/csv.hpp"
#include "models/value_set.hpp"

namespace tutti::models {

/// External inputs over time, from a CSV file whose first column is the time. Continuous inputs are
/// interpolated linearly, discrete ones hold their value; before the first and after the last row
/// the nearest row holds. Two rows of the same time are a discontinuity: the later row holds from
/// that time on.
class InputTable {
 public:
  InputTable() = default;  ///< no inputs

  /// @throws Error(file) for a column that is no input, a cell of the wrong type, times that go
  /// back
  InputTable(const CsvTable& csv, const ModelDescription& description,
             const StructuralValues& structure);

  /// The inputs that the table drives, as indices of variables.
  const std::vector<std::int32_t>& variables() const { return variables_; }

  /// Writes the values that hold from t on into `inputs`.
  /// @pre inputs is a ValueSet of variables()
  void apply(double t, ValueSet& inputs) {
    if (times_.empty()) return;
    move_to(t);
    if (!reals_.empty()) apply_reals(t, inputs);
    if (!steps_.empty() || !texts_.empty()) apply_discrete(inputs);
  }

  /// The first time after t at which an input jumps; infinity if there is none.
  double next_jump(double t) const;

 private:
  struct Reals {
    Scalar scalar;
    std::vector<double> values;
  };
  struct Steps {
    Scalar scalar;
    std::vector<Cell> values;
  };
  struct Texts {
    Scalar scalar;
    std::vector<std::string> values;
  };
  void move_to(double t) {
    if (row_ + 1 < times_.size() ? (t < times_[row_] || t >= times_[row_ + 1]) : t < times_[row_])
      search(t);
  }
  void search(double t);
  void apply_reals(double t, ValueSet& inputs) const {
    const double weight = std::max(0.0, t - times_[row_]) * inverse_span_;
    for (const Reals& column : reals_) {
      const double here = column.values[row_];
      const double next = row_ + 1 < column.values.size() ? column.values[row_ + 1] : here;
      inputs.write_real(column.scalar, here + weight * (next - here));
    }
  }
  void apply_discrete(ValueSet& inputs) const;
  void add_column(const CsvTable& csv, std::size_t column, const Scalar& scalar,
                  const ModelDescription& description, ValueSet& scratch);
  void find_jumps();

  std::vector<std::int32_t> variables_;
  std::vector<double> times_;
  std::vector<double> jumps_;  // sorted
  std::size_t row_ = 0;        // times_[row_] <= t < times_[row_ + 1]
  double inverse_span_ = 0;    // 1/(times_[row_ + 1] - times_[row_]); 0 where nothing follows
  std::vector<Reals> reals_;
  std::vector<Steps> steps_;
  std::vector<Texts> texts_;
};

}  // namespace tutti::models
