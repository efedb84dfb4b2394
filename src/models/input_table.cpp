// SPDX-License-Identifier: BSD-2-Clause
#include "models/input_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>
#include <unordered_map>
#include <unordered_set>

#include "base/infinity.hpp"
#include "base/number_type.hpp"
#include "base/text.hpp"

namespace tutti::models {
namespace {

/// Inputs and tunable parameters (FMI 2.0, section 2.2.7).
bool can_be_driven(const Variable& variable) {
  return variable.causality == Causality::input || (variable.causality == Causality::parameter &&
                                                    variable.variability == Variability::tunable);
}

std::int32_t input_for_column(const ModelDescription& description, std::string_view column,
                              const CsvTable& csv) {
  const Variable* variable = description.find(column);
  if (variable == nullptr && column.ends_with(']'))
    variable = description.find(column.substr(0, column.rfind('[')));
  if (variable == nullptr || !can_be_driven(*variable)) {
    if (variable != nullptr && variable->causality == Causality::parameter)
      csv.refuse(1,
                 fmt::format("column \"{}\" is a parameter of model \"{}\" that is not tunable",
                             column, description.model_name),
                 {.variable = variable->name,
                  .key = "set",
                  .hint = "Leave the column out and use %key%."});
    std::vector<std::string_view> inputs;
    for (const Variable& candidate : description.variables)
      if (can_be_driven(candidate)) inputs.push_back(candidate.name);
    csv.refuse(1,
               fmt::format("column \"{:.100}\" is {} of model \"{}\".", column,
                           variable == nullptr ? "not a variable" : "not an input",
                           description.model_name),
               {.variable = std::string(column), .hint = did_you_mean(column, inputs)});
  }
  return static_cast<std::int32_t>(variable - description.variables.data());
}

std::vector<InputTable::Column> all_columns(const CsvTable& csv) {
  std::vector<InputTable::Column> columns;
  for (std::size_t i = 1; i < csv.header().size(); ++i)
    columns.push_back({i, std::string(csv.header()[i])});
  return columns;
}

double first_after(const std::vector<double>& times, double t) {
  const auto after = std::ranges::upper_bound(times, t);
  return after == times.end() ? infinity : *after;
}

}  // namespace

InputTable::InputTable(const CsvTable& csv, const ModelDescription& description,
                       const StructuralValues& structure)
    : InputTable(csv, all_columns(csv), description, structure) {}

InputTable::InputTable(const CsvTable& csv, const std::vector<Column>& columns,
                       const ModelDescription& description, const StructuralValues& structure,
                       double time_factor) {
  if (csv.row_count() == 0) csv.refuse(0, "the table has a header but no rows");
  for (std::size_t row = 0; row < csv.row_count(); ++row) {
    const double t = csv.number(row, 0) * time_factor;
    if (!std::isfinite(t) || (!times_.empty() && t < times_.back()))
      csv.refuse(csv.line(row), fmt::format("time {} after {}: times must not decrease", t,
                                            times_.empty() ? 0 : times_.back()));
    times_.push_back(t);
  }
  if (const Variable* first = description.find(csv.header()[0]);
      first != nullptr && first->causality == Causality::input)
    csv.refuse(
        1, fmt::format("the first column is the input \"{}\", but must be the time", first->name),
        {.variable = first->name});
  std::unordered_set<std::string_view> names;
  std::unordered_set<std::int32_t> known;
  for (const Column& column : columns) {
    if (!names.insert(column.name).second || column.name == csv.header()[0])
      csv.refuse(1, fmt::format("there are two columns \"{:.100}\"", column.name));
    const std::int32_t index = input_for_column(description, column.name, csv);
    if (known.insert(index).second) variables_.push_back(index);
  }
  ValueSet scratch(description, variables_, structure);
  std::unordered_map<std::string_view, const Scalar*> by_name;
  for (const Scalar& scalar : scratch.scalars()) by_name.emplace(scalar.name, &scalar);
  for (const Column& column : columns) {
    const std::string_view name = column.name;
    // The name may be an alias of a scalar (FMI 3.0), which is listed under its own name.
    const Variable* alone = description.find(name);
    const auto scalar =
        by_name.find(alone != nullptr && !alone->is_array() ? std::string_view(alone->name) : name);
    if (scalar == by_name.end())
      csv.refuse(1,
                 fmt::format("column \"{}\" is not an element of an input array; write one column "
                             "per element, for example \"{}[1]\"",
                             name, name.substr(0, name.find('['))),
                 {.variable = column.name});
    add_column(csv, column, *scalar->second, description, scratch);
  }
  find_jumps();
  has_others_ = !steps_.empty() || !texts_.empty() || !single_ramps_.empty();
  move_to(times_.front());
}

void InputTable::add_column(const CsvTable& csv, const Column& column, const Scalar& scalar,
                            const ModelDescription& description, ValueSet& scratch) {
  const bool real = is_float(scalar.type);
  const bool scaled = column.factor != 1 || column.offset != 0;
  const auto scale = [&] {
    if (!real) throw Error(ErrorCode::file, "factor and offset are for real inputs");
    scratch.write_real(scalar, column.factor * scratch.read(scalar).real + column.offset);
  };
  std::string buffer;
  const auto parse = [&](auto&& take) {
    for (std::size_t row = 0; row < csv.row_count(); ++row) {
      try {
        const std::string_view cell = is_text(scalar.type)
                                          ? csv.cell(row, column.index)
                                          : csv.number_text(row, column.index, buffer);
        scratch.assign(scalar, cell, description);
        if (real && !std::isfinite(scratch.read(scalar).real))
          throw Error(ErrorCode::file, fmt::format("\"{}\" is not a finite number", cell));
        if (scaled) scale();
      } catch (const Error& error) {
        throw error.as(ErrorCode::file)
            .within(fmt::format("column \"{}\"", column.name),
                    {.variable = column.name, .file = csv.name(), .line = csv.line(row)});
      }
      take();
    }
  };
  const Variable& variable = description.variables[static_cast<std::size_t>(scalar.variable)];
  if (real && variable.variability == Variability::continuous) {
    Ramp& ramp = (scalar.type == Type::float64 ? ramps_ : single_ramps_).emplace_back();
    ramp.scalar = scalar;
    parse([&] { ramp.values.push_back(scratch.read(scalar).real); });
  } else if (is_text(scalar.type)) {
    Texts& texts = texts_.emplace_back(Texts{scalar, {}});
    parse([&] { texts.values.push_back(scratch.text(scalar)); });
  } else {
    Steps& steps = steps_.emplace_back(Steps{scalar, {}});
    parse([&] { steps.values.push_back(scratch.read(scalar)); });
  }
}

std::size_t find_column(const CsvTable& csv, std::string_view name) {
  const auto without_unit = [](std::string_view header) {
    const std::size_t bracket = header.rfind(" [");
    return header.ends_with(']') && bracket != header.npos ? trim(header.substr(0, bracket))
                                                           : header;
  };
  const std::vector<std::string_view>& header = csv.header();
  std::vector<std::string_view> names;
  for (std::size_t i = 1; i < header.size(); ++i) {
    if (header[i] == name) return i;
    names.push_back(without_unit(header[i]));
  }
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin()) + 1;
  csv.refuse(1, fmt::format("there is no column \"{}\".", printable(name)),
             {.hint = did_you_mean(name, names)});
}

void InputTable::align(const TimeGrid& grid) {
  for (double& t : times_) {
    if (t < grid.start() || t > grid.stop()) continue;
    const std::uint64_t above = grid.first_point_from(t);
    for (const std::uint64_t n : {above, above > 0 ? above - 1 : above}) {
      const double h = grid.step(std::min(n, grid.step_count() - 1));
      if (std::abs(grid.point(n) - t) <= same_time(t, h)) t = grid.point(n);
    }
  }
  find_jumps();
  if (!times_.empty()) move_to(times_.front());
}

void InputTable::find_jumps() {
  jumps_.clear();
  for (std::size_t row = 1; row < times_.size(); ++row) {
    const bool repeated = times_[row] == times_[row - 1];
    const bool stepped =
        std::ranges::any_of(
            steps_,
            [&](const Steps& s) { return s.values[row].natural != s.values[row - 1].natural; }) ||
        std::ranges::any_of(texts_,
                            [&](const Texts& s) { return s.values[row] != s.values[row - 1]; });
    if ((repeated || stepped) && (jumps_.empty() || jumps_.back() != times_[row]))
      jumps_.push_back(times_[row]);
  }
}

void InputTable::move_to(double t) {
  const auto after = std::ranges::upper_bound(times_, t);
  enter_row(static_cast<std::size_t>(after - times_.begin()));
}

bool InputTable::drives(const Scalar& scalar) const {
  const auto is_among = [&](const auto& columns) {
    return std::ranges::any_of(columns, [&](const auto& column) {
      return column.scalar.variable == scalar.variable && column.scalar.element == scalar.element;
    });
  };
  return is_among(ramps_) || is_among(single_ramps_) || is_among(steps_) || is_among(texts_);
}

void InputTable::write_before(double t, ValueSet& inputs) {
  move_before(t);
  write_row(t, inputs);
}

void InputTable::write_near(double t, double nearness, ValueSet& inputs) {
  move_to(t + nearness);
  write_row(std::max(t, from_), inputs);
}

void InputTable::lead_to(double t, ValueSet& inputs) {
  move_before(t);
  write_lines(t, inputs);
}

void InputTable::move_before(double t) {
  if (t > from_ && t <= until_) return;
  const auto after = std::ranges::lower_bound(times_, t);
  enter_row(static_cast<std::size_t>(after - times_.begin()));
}

void InputTable::enter_row(std::size_t count) {
  const bool before_first = count == 0, last = count == times_.size();
  row_ = before_first ? 0 : count - 1;
  from_ = before_first ? -infinity : times_[row_];
  until_ = last ? infinity : times_[count];
  base_ = times_[row_];
  const auto draw = [&](const std::vector<Ramp>& ramps, std::vector<Line>& lines) {
    lines.clear();
    for (const Ramp& ramp : ramps) {
      const double here = ramp.values[row_];
      const bool flat = before_first || last;
      const double slope = flat ? 0 : (ramp.values[row_ + 1] - here) / (until_ - from_);
      lines.push_back({ramp.scalar.slot, here, slope});
    }
  };
  draw(ramps_, lines_);
  draw(single_ramps_, single_lines_);
}

void InputTable::write_others(double since, ValueSet& inputs) const {
  for (std::size_t i = 0; i < single_lines_.size(); ++i)
    inputs.write_real(single_ramps_[i].scalar,
                      single_lines_[i].here + since * single_lines_[i].slope);
  for (const Steps& column : steps_) inputs.write(column.scalar, column.values[row_]);
  for (const Texts& column : texts_) inputs.write_text(column.scalar, column.values[row_]);
}

/// The tolerance is relative to the largest value of the column, so that it is independent of the
/// unit.
void InputTable::resolve(double rtol) {
  constexpr double near_zero = 0.01;
  knots_.clear();
  for (std::size_t i = 0; i < continuous_count(); ++i) {
    double largest = 0;
    for (const double u : ramp(i).values) largest = std::max(largest, std::abs(u));
    find_knots(line_of(i), {near_zero * rtol * largest, rtol}, knots_);
  }
  std::ranges::sort(knots_);
  knots_.erase(std::unique(knots_.begin(), knots_.end()), knots_.end());
}

double InputTable::next_knot(double t) const {
  return first_after(knots_, t + 4 * time_resolution(t));
}

double InputTable::next_jump(double t) const { return first_after(jumps_, t); }

}  // namespace tutti::models
