// SPDX-License-Identifier: BSD-2-Clause
#include "studies/examples/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/system_file.hpp>

namespace tutti::examples {
namespace {

/// References must be accurate to more digits than any figure.
constexpr double reference_tolerance = 1e-11;

std::pair<std::string, std::string> split_assignment(const std::string& text) {
  const std::size_t equal = text.find('=');
  return {text.substr(0, equal), equal == text.npos ? "" : text.substr(equal + 1)};
}

/// The rows of a reference file at these times. Times that are not in the file get NaN: a file need
/// not have all points of a run.
Collector rows_at(const ResultTable& table, const std::vector<double>& times) {
  Collector rows;
  rows.times = times;
  for (const ResultColumn& column : table.columns) {
    rows.columns.push_back({column.name, Type::float64, column.unit});
    rows.values.emplace_back();
  }
  for (const double t : times) {
    const double rounding = 1e-9 * std::max(1.0, std::abs(t));  // of both numbers, as written
    const auto row = std::lower_bound(table.times.begin(), table.times.end(), t - rounding);
    const bool has = row != table.times.end() && *row <= t + rounding;
    const auto index = static_cast<std::size_t>(row - table.times.begin());
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      rows.values[c].push_back(has ? table.columns[c].numbers[index]
                                   : std::numeric_limits<double>::quiet_NaN());
  }
  return rows;
}

/// The rows at these times, without those that events add. A time without a row gets NaN.
Collector only_at(const Collector& rows, const std::vector<double>& times) {
  if (rows.times == times) return rows;
  Collector chosen;
  chosen.times = times;
  chosen.columns = rows.columns;
  chosen.values.resize(rows.values.size());
  for (const double t : times) {
    const auto row = std::ranges::lower_bound(rows.times, t);
    const bool has = row != rows.times.end() && *row == t;
    const auto index = static_cast<std::size_t>(row - rows.times.begin());
    for (std::size_t c = 0; c < rows.values.size(); ++c)
      chosen.values[c].push_back(has ? rows.values[c][index]
                                     : std::numeric_limits<double>::quiet_NaN());
  }
  return chosen;
}

/// Applies the order to the cycle of the same components.
void set_order(System& system, const std::vector<std::string>& order) {
  const auto sorted = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  for (CycleSettings& cycle : system.cycles)
    if (sorted(cycle.of) == sorted(order)) {
      cycle.order = order;
      return;
    }
  throw Error(ErrorCode::usage,
              fmt::format("the system has no [[cycles]] of the components of \"order\""));
}

}  // namespace

bool Collector::rewind(std::uint64_t rows) {
  times.resize(rows);
  for (std::vector<double>& column : values) column.resize(rows);
  return true;
}

void Collector::begin(std::span<const Column> all) {
  columns.assign(all.begin(), all.end());
  values.resize(columns.size());
}

void Collector::row(const Row& row) {
  const bool again = !times.empty() && row.time == times.back();
  if (!again) times.push_back(row.time);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (again) values[c].pop_back();
    const Type type = columns[c].type;
    values[c].push_back(is_text(type) ? 0 : as_real(type, row.cells[c]));
  }
}

const std::vector<double>& Collector::of(const std::string& name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return column.name == name; });
  if (found == columns.end())
    throw Error(ErrorCode::usage, fmt::format("\"{}\" is not recorded", name));
  return values[static_cast<std::size_t>(found - columns.begin())];
}

ResultTable Collector::table(std::string name) const {
  ResultTable table;
  table.name = std::move(name);
  table.times = times;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (is_text(columns[c].type)) continue;
    ResultColumn& column = table.columns.emplace_back();
    column.name = columns[c].name;
    column.unit = columns[c].unit;
    column.motion = columns[c].discrete ? Motion::discrete : Motion::continuous;
    column.numbers = values[c];
  }
  return table;
}

System system_of(const Example& example, const ExampleRun& run) {
  System system = read_system(example.system_of(run));
  for (const std::string& assignment : run.set) assign(system, assignment);
  if (!run.order.empty()) set_order(system, run.order);
  return system;
}

Collector run_reference(const Example& example, const ExampleRun& run,
                        const std::vector<double>& times, const RunControl& control) {
  if (!example.reference.file.empty())
    return rows_at(read_results(example.folder / example.reference.file), times);
  SimulateOptions options;
  static_cast<RunControl&>(options) = control;
  options.fmu = example.folder / "fmus/reference.fmu";
  options.kind = FmuKind::model_exchange;
  options.tolerance = reference_tolerance;
  options.points = times;
  for (const std::string& assignment : example.reference.set)
    options.set.push_back(split_assignment(assignment));
  for (const std::string& assignment : run.reference)
    options.set.push_back(split_assignment(assignment));
  Collector collected;
  const RunReport report = simulate(options, &collected, {});
  if (report.end.kind != RunEnd::Kind::completed)
    throw Error(ErrorCode::fmu,
                fmt::format("the reference of example \"{}\" fails{}", example.name,
                            report.end.error ? fmt::format(": {}", report.end.error->what()) : ""));
  return only_at(collected, times);
}

}  // namespace tutti::examples
