// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tutti/error.hpp>
#include <tutti/plot.hpp>

#include "base/text.hpp"
#include "results/result_format.hpp"

namespace tutti {
namespace {

constexpr std::size_t most_in_panel = 7;  // colours that are easy to distinguish
constexpr std::size_t most_panels = 40;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool empty() const { return low > high; }
  double width() const { return empty() ? 0 : high - low; }
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void add(const Range& other) {
    if (other.empty()) return;
    add(other.low);
    add(other.high);
  }
};

/// The range of drawable values, and whether some cannot be drawn.
Range range_of(const std::vector<double>& values, bool log, bool& incomplete) {
  Range range;
  for (const double value : values) {
    if (std::isfinite(value) && (!log || value > 0))
      range.add(value);
    else
      incomplete = true;
  }
  return range;
}

/// The part of a column in the window, cut exactly at its ends.
FigureCurve cut(const ResultTable& table, const ResultColumn& column, double from, double to) {
  FigureCurve curve;
  curve.name = printable(column.name);
  curve.discrete = column.motion == Motion::discrete;
  const auto begin = table.times.begin();
  const auto first = std::lower_bound(begin, table.times.end(), from) - begin;
  const auto last = std::upper_bound(begin, table.times.end(), to) - begin;
  const auto between = [&](std::ptrdiff_t row, double t) {  // row and the one before it
    const auto i = static_cast<std::size_t>(row);
    const double before = column.numbers[i - 1];
    const double part = (t - table.times[i - 1]) / (table.times[i] - table.times[i - 1]);
    curve.times.push_back(t);
    curve.values.push_back(curve.discrete ? before : before + (column.numbers[i] - before) * part);
  };
  const auto rows = std::ssize(table.times);
  if (first > 0 && first < rows && table.times[static_cast<std::size_t>(first)] > from)
    between(first, from);
  curve.times.insert(curve.times.end(), begin + first, begin + last);
  curve.values.insert(curve.values.end(), column.numbers.begin() + first,
                      column.numbers.begin() + last);
  if (last > 0 && last < rows && table.times[static_cast<std::size_t>(last - 1)] < to)
    between(last, to);
  return curve;
}

/// Puts curves into panels.
class Arrangement {
 public:
  Arrangement(Figure& figure, bool apart) : figure_(figure), apart_(apart) {}

  void add(const ResultColumn& column, std::vector<FigureCurve> curves) {
    Group group{
        printable(column.unit), column.unit.empty() && column.motion == Motion::discrete, {}};
    bool incomplete = false;
    for (const FigureCurve& curve : curves)
      group.range.add(range_of(curve.values, figure_.log_y, incomplete));
    if (incomplete)
      figure_.notes.push_back(
          fmt::format("{} has values that cannot be drawn ({})", curves.front().name,
                      figure_.log_y ? "not positive, with a logarithmic axis" : "not finite"));
    std::size_t index = 0;
    while (index < groups_.size() && !fits(groups_[index], group, figure_.panels[index])) ++index;
    if (index == groups_.size()) {
      groups_.push_back(group);
      figure_.panels.emplace_back().unit = group.unit;
    }
    FigurePanel& panel = figure_.panels[index];
    const std::size_t color = panel.curves.empty() ? 0 : panel.curves.back().color + std::size_t{1};
    for (FigureCurve& curve : curves) {
      curve.color = color;
      panel.curves.push_back(std::move(curve));
    }
    groups_[index].range.add(group.range);
  }

  void finish() {
    if (figure_.log_y &&
        std::ranges::all_of(groups_, [](const Group& g) { return g.range.empty(); }))
      throw Error(ErrorCode::usage, "nothing to draw on a logarithmic axis: no value is positive",
                  {.key = "log-y", .hint = "Remove %key%."});
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const Range& range = groups_[i].range;
      FigurePanel& panel = figure_.panels[i];
      panel.low = range.empty() ? (figure_.log_y ? 1 : 0) : range.low;
      panel.high = range.empty() ? (figure_.log_y ? 10 : 0) : range.high;
      panel.is_switch = groups_[i].switches && range.width() <= 4 && has_whole_numbers(panel);
    }
  }

 private:
  struct Group {
    std::string unit;
    bool switches = false;  // booleans and counters, kept apart from dimensionless numbers
    Range range;
  };

  static bool has_whole_numbers(const FigurePanel& panel) {
    return std::ranges::all_of(panel.curves, [](const FigureCurve& curve) {
      return std::ranges::all_of(curve.values,
                                 [](double v) { return std::nearbyint(v) == v || std::isnan(v); });
    });
  }

  bool fits(const Group& panel, const Group& curve, const FigurePanel& drawn) const {
    if (apart_ || panel.unit != curve.unit || panel.switches != curve.switches) return false;
    if (drawn.curves.back().color + 1 >= most_in_panel) return false;
    if (figure_.log_y || panel.range.empty() || curve.range.empty()) return true;
    Range both = panel.range;
    both.add(curve.range);
    constexpr double flat = 20;  // a curve that would use less than 1/20 of the height looks flat
    for (const Range& range : {panel.range, curve.range}) {
      const double swing = range.width() > 0 ? range.width() : std::abs(range.high);
      if (both.width() > flat * swing) return false;
    }
    return true;
  }

  Figure& figure_;
  bool apart_;
  std::vector<Group> groups_;  // one per panel
};

std::vector<const ResultColumn*> choose(const ResultTable& results, const FigureOptions& options,
                                        Figure& figure) {
  std::vector<const ResultColumn*> chosen;
  if (options.variables.empty()) {
    std::size_t left_out = 0;
    for (const ResultColumn& column : results.columns) {
      if (column.is_text) continue;
      if (chosen.size() < options.max_curves)
        chosen.push_back(&column);
      else
        ++left_out;
    }
    if (left_out > 0)
      figure.notes.push_back(
          fmt::format("{} more columns are in the results but not in this plot", left_out));
  } else {
    for (const ResultColumn* column : results.select(options.variables)) {
      if (column->is_text)
        figure.notes.push_back(fmt::format("{} is a text and is not drawn", column->name));
      else
        chosen.push_back(column);
    }
  }
  if (chosen.empty())
    throw Error(ErrorCode::usage,
                fmt::format("\"{}\" has no column of numbers to draw", results.name));
  return chosen;
}

void set_window(const ResultTable& results, const ResultTable* with, const FigureOptions& options,
                Figure& figure) {
  Range all;
  for (const ResultTable* table : {&results, with}) {
    if (table == nullptr || table->times.empty()) continue;
    const auto first =
        options.log_x ? std::ranges::upper_bound(table->times, 0.0) : table->times.begin();
    if (first == table->times.end()) continue;
    all.add(*first);
    all.add(table->times.back());
  }
  if (all.empty())
    throw Error(ErrorCode::usage, fmt::format("\"{}\" has no rows{} to draw", results.name,
                                              options.log_x ? " of a positive time" : ""));
  figure.from = options.from.value_or(all.low);
  figure.to = options.to.value_or(all.high);
  if (figure.log_x && figure.from <= 0)
    throw Error(ErrorCode::usage, "a logarithmic time axis must start after 0: set %key%",
                {.key = "from"});
  if (!(figure.from <= figure.to) || figure.to < all.low || figure.from > all.high)
    throw Error(ErrorCode::usage,
                fmt::format("nothing to draw from t = {} to {}: the results go from {} to {}",
                            figure.from, figure.to, all.low, all.high));
}

}  // namespace

Figure make_figure(const ResultTable& results, const ResultTable* with,
                   const FigureOptions& options) {
  if (with != nullptr && with->time_unit != results.time_unit) {
    const ResultTable converted = results::with_time_in(*with, results.time_unit);
    Figure figure = make_figure(results, &converted, options);
    figure.notes.push_back(converted.notes.back());
    return figure;
  }
  Figure figure;
  figure.title = printable(options.title);
  figure.time_name = printable(results.time_name);
  figure.time_unit = printable(results.time_unit);
  figure.first_name = printable(results.name);
  if (with != nullptr) figure.second_name = printable(with->name);
  figure.log_x = options.log_x;
  figure.log_y = options.log_y;
  set_window(results, with, options, figure);

  Arrangement arrangement(figure, options.apart);
  for (const ResultColumn* column : choose(results, options, figure)) {
    std::vector<FigureCurve> curves = {cut(results, *column, figure.from, figure.to)};
    if (with != nullptr) {
      const ResultColumn* other = with->find(column->name);
      if (other != nullptr && !other->is_text) {
        curves.push_back(cut(*with, *other, figure.from, figure.to));
        curves.back().second = true;
      } else {
        figure.notes.push_back(
            fmt::format("\"{}\" has no column of numbers \"{}\"", with->name, column->name));
      }
    }
    arrangement.add(*column, std::move(curves));
  }
  arrangement.finish();
  if (figure.panels.size() > most_panels)
    throw Error(ErrorCode::usage, fmt::format("{} panels are too many for one plot, {} are "
                                              "possible. Choose fewer variables.",
                                              figure.panels.size(), most_panels));
  return figure;
}

}  // namespace tutti
