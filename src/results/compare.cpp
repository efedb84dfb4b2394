// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tutti/compare.hpp>
#include <tutti/error.hpp>
#include <unordered_map>

#include "base/text.hpp"
#include "results/difference.hpp"
#include "results/result_format.hpp"

namespace tutti {
namespace {

using results::CommonTime;

CommonTime common_time(const ResultTable& result, const ResultTable& reference) {
  for (const ResultTable* table : {&result, &reference})
    if (table->times.empty())
      throw Error(ErrorCode::usage, fmt::format("\"{}\" has no rows", table->name));
  CommonTime time{results::knots_of(result.times), results::knots_of(reference.times), {}};
  time.grid = results::common_grid(time.a, time.b);
  if (time.grid.empty())
    throw Error(ErrorCode::usage,
                fmt::format("there is no time to compare at: \"{}\" goes from {} to {}, \"{}\" "
                            "from {} to {}",
                            result.name, result.times.front(), result.times.back(), reference.name,
                            reference.times.front(), reference.times.back()));
  return time;
}

/// Describes which part of the files was compared.
void describe_time(const ResultTable& result, const ResultTable& reference, Comparison& out) {
  const auto left_out = [&](const ResultTable& table) {
    return (out.from - table.times.front()) + (table.times.back() - out.to);
  };
  const double span = reference.times.back() - reference.times.front();
  constexpr double rounding = 1e-9, much = 0.01;
  out.covers_time = left_out(reference) <= much * span;
  if (left_out(result) <= rounding * span && left_out(reference) <= rounding * span) return;
  out.notes.push_back(fmt::format(
      "compared from t = {:.6g} to {:.6g} only: \"{}\" goes from {:.6g} to {:.6g}, \"{}\" from "
      "{:.6g} to {:.6g}",
      out.from, out.to, result.name, result.times.front(), result.times.back(), reference.name,
      reference.times.front(), reference.times.back()));
}

void judge(VariableDifference& variable, const CompareOptions& options) {
  const double value = variable.is_text || options.measure == CompareOptions::Measure::largest
                           ? variable.largest
                           : variable.rms;
  const bool fine = variable.is_text
                        ? value == 0
                        : value <= options.tolerance || value * variable.scale <= options.absolute;
  variable.beyond = !variable.problem.empty() || !fine;
}

void sort_worst_first(std::vector<VariableDifference>& variables, CompareOptions::Measure measure) {
  const auto key = [&](const VariableDifference& v) {
    if (!v.problem.empty()) return std::numeric_limits<double>::infinity();
    return measure == CompareOptions::Measure::rms ? v.rms : v.largest;
  };
  std::ranges::stable_sort(variables,
                           [&](const auto& a, const auto& b) { return key(a) > key(b); });
}

using Mapped = std::unordered_map<const ResultColumn*, const ResultColumn*>;  // by the reference's

const ResultColumn& mapped_column(const ResultTable& table, const std::string& name) {
  if (const ResultColumn* const found = table.find(name)) return *found;
  throw Error(ErrorCode::usage,
              fmt::format("\"{}\" has no column \"{}\", which is mapped.{}", table.name,
                          printable(name), did_you_mean(name, names_of(table.columns))));
}

Mapped mapped_columns(const ResultTable& result, const ResultTable& reference,
                      const CompareOptions& options) {
  Mapped mapped;
  for (const ColumnPair& pair : options.map) {
    const ResultColumn& a = mapped_column(result, pair.result);
    const ResultColumn& b = mapped_column(reference, pair.reference);
    if (const auto [known, is_new] = mapped.emplace(&b, &a); !is_new)
      throw Error(ErrorCode::usage,
                  fmt::format("the column \"{}\" of \"{}\" is mapped twice: to \"{}\" and \"{}\"",
                              b.name, reference.name, known->second->name, a.name));
  }
  return mapped;
}

/// The columns of the reference that are compared, in the order of the options.
std::vector<const ResultColumn*> chosen_columns(const ResultTable& reference,
                                                const CompareOptions& options,
                                                const Mapped& mapped) {
  if (options.variables.empty()) return reference.select({"*"});
  std::vector<const ResultColumn*> chosen = reference.select(options.variables);
  for (const ResultColumn& column : reference.columns)
    if (mapped.contains(&column) && std::ranges::find(chosen, &column) == chosen.end())
      chosen.push_back(&column);
  return chosen;
}

}  // namespace

Comparison compare(const ResultTable& result, const ResultTable& reference,
                   const CompareOptions& options) {
  if (result.time_unit != reference.time_unit)
    return compare(results::with_time_in(result, reference.time_unit), reference, options);
  Comparison out;
  const CommonTime time = common_time(result, reference);
  out.from = time.grid.front().time;
  out.to = time.grid.back().time;
  for (const ResultTable* table : {&result, &reference})
    out.notes.insert(out.notes.end(), table->notes.begin(), table->notes.end());
  describe_time(result, reference, out);

  const Mapped mapped = mapped_columns(result, reference, options);
  const bool chosen = !options.variables.empty();
  std::unordered_map<std::string_view, const ResultColumn*> by_name;  // there may be many columns
  for (const ResultColumn& column : result.columns) by_name.emplace(column.name, &column);
  std::vector<const ResultColumn*> used;
  for (const ResultColumn* b : chosen_columns(reference, options, mapped)) {
    const auto pair = mapped.find(b);
    const auto found = by_name.find(b->name);
    const ResultColumn* a = pair != mapped.end()     ? pair->second
                            : found != by_name.end() ? found->second
                                                     : result.find(b->name);
    if (a == nullptr) {
      out.missing.push_back(b->name);
      continue;
    }
    used.push_back(a);
    if (!a->unit.empty() && !b->unit.empty() && a->unit != b->unit)
      out.notes.push_back(
          fmt::format("{} is in {} in the result and in {} in the reference; "
                      "nothing is converted",
                      b->name, a->unit, b->unit));
    VariableDifference& difference =
        out.variables.emplace_back(results::difference_of(*a, *b, time));
    if (pair != mapped.end()) difference.result_name = a->name;
    judge(difference, options);
  }
  if (out.variables.empty() && (options.common || out.missing.empty()))
    throw Error(ErrorCode::usage, fmt::format("\"{}\" and \"{}\" have no column in common",
                                              result.name, reference.name));
  if (!chosen) {
    std::ranges::sort(used);
    for (const ResultColumn& column : result.columns)
      if (!std::ranges::binary_search(used, &column)) out.extra.push_back(column.name);
  }
  sort_worst_first(out.variables, options.measure);
  out.beyond = static_cast<std::size_t>(
      std::ranges::count_if(out.variables, [](const auto& v) { return v.beyond; }));
  out.agrees = out.beyond == 0 && (options.common || (out.missing.empty() && out.covers_time));
  return out;
}

}  // namespace tutti
