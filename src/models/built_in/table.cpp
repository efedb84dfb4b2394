// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "models/built_in/models.hpp"

namespace tutti::models {
namespace {

/// `T [degC]`: a name and a unit
std::pair<std::string_view, std::string_view> split_header(std::string_view header) {
  const std::size_t open = header.rfind('[');
  if (open == header.npos || open == 0 || !header.ends_with(']')) return {trim(header), {}};
  const std::string_view name = trim(header.substr(0, open));
  // `y[1]` is a name: a unit does not start with a digit.
  const std::string_view unit = header.substr(open + 1, header.size() - open - 2);
  if (unit.find_first_not_of("0123456789,") == unit.npos) return {trim(header), {}};
  return {name, trim(unit)};
}

class Table final : public BuiltInModel {
 public:
  explicit Table(const BuiltInTask& task)
      : holds_(task.settings.interpolation == Interpolation::constant) {
    if (task.table == nullptr)
      throw Error(ErrorCode::usage, "type \"table\" needs a file", {.key = "file"});
    read(*task.table);
    find_jumps();
  }
  void evaluate(const Moment& now) override {
    const auto [row, part] = place(now);
    const std::size_t next = std::min(row + 1, times_.size() - 1);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const double here = columns_[i][row];
      outputs_[i] = part == 0 ? here : here + part * (columns_[i][next] - here);
    }
  }
  double next_jump(double t) const override {
    const auto next = std::ranges::upper_bound(jumps_, t);
    return next == jumps_.end() ? BuiltInModel::next_jump(t) : *next;
  }
  std::uint32_t derivative_order() const override { return 2; }
  double derivative(std::size_t output, std::uint32_t order, const Moment& now) const override {
    const std::size_t after = passed_at(now.passed);
    if (order != 1 || holds_ || after == 0 || after == times_.size()) return 0;
    return (columns_[output][after] - columns_[output][after - 1]) /
           (times_[after] - times_[after - 1]);
  }

 private:
  void read(const CsvTable& csv) {
    if (csv.header().size() < 2) csv.refuse(1, "there is no column besides the time");
    if (csv.row_count() == 0) csv.refuse(0, "there are no rows");
    for (std::size_t row = 0; row < csv.row_count(); ++row) {
      times_.push_back(csv.number(row, 0));
      if (row > 0 && !(times_[row] >= times_[row - 1]))
        csv.refuse(csv.line(row), "the time decreases");
    }
    outputs_.resize(csv.header().size() - 1);
    for (std::size_t c = 1; c < csv.header().size(); ++c) {
      std::vector<double>& column = columns_.emplace_back();
      for (std::size_t row = 0; row < times_.size(); ++row) column.push_back(csv.number(row, c));
      const auto [name, unit] = split_header(csv.header()[c]);
      output(std::string(name), outputs_[c - 1],
             {.unit = std::string(unit), .depends_on = no_inputs()});
    }
  }
  void find_jumps() {
    for (std::size_t row = 1; row < times_.size(); ++row)
      if ((holds_ || times_[row] == times_[row - 1]) &&
          std::ranges::any_of(columns_, [&](const auto& c) { return c[row] != c[row - 1]; }) &&
          (jumps_.empty() || jumps_.back() != times_[row]))
        jumps_.push_back(times_[row]);
  }
  std::size_t passed_at(double t) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(times_, t) - times_.begin());
  }
  /// The current row, and the interpolation fraction towards the next one.
  std::pair<std::size_t, double> place(const Moment& now) const {
    const std::size_t after = passed_at(now.passed);
    if (after == 0) return {0, 0};
    if (holds_ || after == times_.size()) return {after - 1, 0};
    const double from = times_[after - 1], to = times_[after];
    return {after - 1, std::clamp((now.t - from) / (to - from), 0.0, 1.0)};
  }

  bool holds_;
  std::vector<double> times_, jumps_;
  std::vector<std::vector<double>> columns_;
  std::vector<double> outputs_;
};

constexpr std::string_view table_settings[] = {"file", "interpolation"};

}  // namespace

constinit const BuiltInEntry table_entry = {
    .name = "table",
    .summary = "Columns of a CSV file over time",
    .equation =
        "every output is a column at time; before the first and after the last row the nearest row "
        "applies",
    .settings = table_settings,
    .make = make_built_in<Table>};

}  // namespace tutti::models
