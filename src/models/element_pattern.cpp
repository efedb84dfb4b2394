// SPDX-License-Identifier: BSD-2-Clause
#include "models/element_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::models {
namespace {

/// Lists of more entries take more memory than they save.
constexpr std::uint64_t most_entries = 20'000'000;

/// The elements that a number means: one, or all.
struct Range {
  std::size_t first = 0, count = 0;
};
Range range_of(const StateElements::Array& array, std::size_t element) {
  return element == 0 ? Range{array.first, array.count} : Range{array.first + element - 1, 1};
}

}  // namespace

ElementPattern::ElementPattern(fmi::ModelExchange& instance, const StateElements& states)
    : instance_(instance), states_(states), rows_(states.count) {
  update();
}

bool ElementPattern::complain(std::string text) {
  complaint_ = std::move(text);
  is_full_ = true;
  return false;
}

bool ElementPattern::update() {
  if (is_full_) return false;
  std::vector<std::vector<std::size_t>> rows(states_.count);
  for (const StateElements::Array& array : states_.arrays)
    if (!read(array, rows)) {
      is_full_ = true;
      rows_ = {};
      return true;
    }
  bool has_grown = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::size_t>& row = rows[i];
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    if (std::ranges::includes(rows_[i], row)) continue;
    std::vector<std::size_t> both;
    std::ranges::set_union(rows_[i], row, std::back_inserter(both));
    rows_[i] = std::move(both);
    has_grown = true;
  }
  return has_grown;
}

// Knowns that are not states have no column.
bool ElementPattern::read(const StateElements::Array& array,
                          std::vector<std::vector<std::size_t>>& rows) {
  const ModelDescription& description = instance_.description();
  const auto variable = [&](std::int32_t index) -> const Variable& {
    return description.variables[static_cast<std::size_t>(index)];
  };
  const Variable& derivative = variable(array.derivative);
  const fmi::ElementDependencies said =
      instance_.element_dependencies(derivative.value_reference, most_entries);
  const auto complain_of = [&](std::string_view text) {
    return complain(fmt::format("the dependencies of \"{}\": {}", derivative.name, text));
  };
  if (!said.complaint.empty()) return complain_of(said.complaint);
  std::uint64_t total = 0;
  for (const fmi::ElementDependencies::Entry& entry : said.entries) {
    if (entry.element > array.count)
      return complain_of(fmt::format("element {} of {}", entry.element, array.count));
    const auto known = std::ranges::find_if(states_.arrays, [&](const StateElements::Array& state) {
      return variable(state.state).value_reference == entry.known;
    });
    if (known == states_.arrays.end()) {
      if (description.find(entry.known) < 0)
        return complain_of(fmt::format("value reference {} is no variable", entry.known));
      continue;
    }
    if (entry.known_element > known->count)
      return complain_of(fmt::format("element {} of \"{}\", which has {}", entry.known_element,
                                     variable(known->state).name, known->count));
    const Range to = range_of(array, entry.element), from = range_of(*known, entry.known_element);
    total += std::uint64_t{to.count} * from.count;
    if (total > most_entries) return false;
    for (std::size_t i = 0; i < to.count; ++i)
      for (std::size_t j = 0; j < from.count; ++j) rows[to.first + i].push_back(from.first + j);
  }
  return true;
}

SparsityPattern ElementPattern::pattern() const { return pattern_of_rows(rows_); }

}  // namespace tutti::models
