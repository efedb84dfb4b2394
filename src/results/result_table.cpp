// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tutti/error.hpp>
#include <tutti/result_table.hpp>

#include "base/text.hpp"

namespace tutti {
namespace {

std::string without_blanks(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](char c) { return c != ' ' && c != '\t'; });
  return result;
}

}  // namespace

const ResultColumn* ResultTable::find(std::string_view column) const {
  for (const ResultColumn& candidate : columns)
    if (candidate.name == column) return &candidate;
  const std::string plain = without_blanks(column);
  for (const ResultColumn& candidate : columns)
    if (without_blanks(candidate.name) == plain) return &candidate;
  return nullptr;
}

void ResultTable::fail_to_match(const std::string& pattern) const {
  std::vector<std::string_view> names = names_of(columns);
  std::string hint = did_you_mean(pattern, names);
  if (hint.empty() && !names.empty()) {
    constexpr std::size_t most = 8;
    const bool more = names.size() > most;
    if (more) names.resize(most);
    hint = fmt::format(" It has {}{}", fmt::join(names, ", "), more ? ", ..." : ".");
  }
  throw Error(ErrorCode::usage,
              fmt::format("\"{}\" has no column that matches \"{}\".", name, pattern),
              {.hint = hint});
}

std::vector<const ResultColumn*> ResultTable::select(
    const std::vector<std::string>& patterns) const {
  std::vector<const ResultColumn*> chosen;
  const auto add = [&](const ResultColumn& column) {
    if (std::ranges::find(chosen, &column) == chosen.end()) chosen.push_back(&column);
  };
  for (const std::string& pattern : patterns) {
    if (const ResultColumn* exact = find(pattern)) {
      add(*exact);
      continue;
    }
    bool any = false;
    for (const ResultColumn& column : columns) {
      if (!glob_match(pattern, column.name)) continue;
      add(column);
      any = true;
    }
    if (any) continue;
    fail_to_match(pattern);
  }
  return chosen;
}

Motion motion_of(const std::vector<double>& times, const std::vector<double>& values) {
  bool integers = true, keeps = false, changes = false, slopes = false;
  bool changed_before = false;  // in the interval before this one
  for (std::size_t i = 0; i < values.size(); ++i) {
    integers = integers && std::nearbyint(values[i]) == values[i];
    if (i == 0) continue;
    const bool changed =
        values[i] != values[i - 1] && !(std::isnan(values[i]) && std::isnan(values[i - 1]));
    changes = changes || changed;
    if (times[i] == times[i - 1]) continue;  // an event: anything may jump there
    keeps = keeps || !changed;
    slopes = slopes || (changed && changed_before);
    changed_before = changed;
  }
  if (!changes) return Motion::constant;
  return keeps && (integers || !slopes) ? Motion::discrete : Motion::continuous;
}

}  // namespace tutti
