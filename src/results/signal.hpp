// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

namespace tutti::results {

/// One column of a result as a function of time, with its jumps.
class Signal {
 public:
  /// @param times never falling, as many as values; both outlive the signal
  /// @param holds keeps each value until the next row
  /// @param smallest_jump of a signal that does not hold: less is none
  Signal(std::span<const double> times, std::span<const double> values, bool holds,
         double smallest_jump);

  struct Value {
    double value = 0;
    double uncertainty = 0;  ///< of a value between two rows
  };
  /// @pre t is not before the first row. Behind the last one, its value.
  Value at(double t) const;
  /// How far a value is from those before, behind and (unless the signal holds) between the jumps
  /// that may be less than `shift` away from t; infinity: there is none.
  double distance_from_jumps(double value, double t, double shift) const;

 private:
  bool is_jump(std::size_t row, double smallest) const;
  /// The last row at or before t.
  std::size_t row_before(double t) const;

  std::span<const double> times_, values_;
  bool holds_;
  std::vector<std::size_t> jumps_;  ///< rows: between each of them and the next, rising
};

}  // namespace tutti::results
