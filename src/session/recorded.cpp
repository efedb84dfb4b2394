// SPDX-License-Identifier: BSD-2-Clause
#include "session/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tutti/error.hpp>

#include "base/text.hpp"
#include "results/grouped_results.hpp"

namespace tutti::session {

std::vector<Column> recorded_columns(const System& system, std::span<const RecordedSet> sets) {
  std::vector<Column> columns;
  for (std::size_t c = 0; c < sets.size(); ++c)
    for (Column& column : results::columns_of(sets[c].values, *sets[c].description)) {
      column.name = system.qualified(c, column.name);
      columns.push_back(std::move(column));
    }
  if (system.results.steps)
    for (const Variable& variable : master::StepInfo::description().variables)
      columns.push_back({variable.name, Type::float64, "", true});
  return columns;
}

void check_groups(const System& system, std::span<const Column> columns) {
  for (const ResultGroup& group : system.results.groups)
    for (const std::string& pattern : group.variables)
      if (std::ranges::none_of(columns, [&](const Column& column) {
            return results::selects(pattern, column.name);
          }))
        throw Error(ErrorCode::usage,
                    fmt::format("%key%: the group \"{}\" has \"{}\", which matches no recorded "
                                "variable (results.variables chooses them).",
                                printable(group.name), printable(pattern)),
                    {.variable = pattern,
                     .key = "results.groups",
                     .hint = did_you_mean(pattern, names_of(columns))});
}

std::vector<results::Recorder::Choice> recorded_places(const System& system,
                                                       std::span<const RecordedSet> sets,
                                                       const master::Ensemble& running) {
  std::vector<results::Recorder::Choice> choices;
  const std::vector<master::Ensemble::Shown> shown = running.shown();
  for (std::size_t c = 0; c < sets.size(); ++c) {
    std::map<std::pair<std::int32_t, std::uint64_t>,
             std::pair<const models::ValueSet*, const models::Scalar*>>
        known;
    for (const models::ValueSet* set : {shown[c].outputs, shown[c].inputs})
      for (const models::Scalar& scalar : set->scalars())
        known.try_emplace({scalar.variable, scalar.element}, set, &scalar);
    for (const models::Scalar& scalar : sets[c].values.scalars()) {
      const auto [set, found] = known.at({scalar.variable, scalar.element});
      if (choices.empty() || choices.back().values != set) choices.push_back({set, {}});
      choices.back().scalars.push_back(found);
    }
  }
  if (system.results.steps)
    choices.push_back(results::Recorder::all_of(running.islands().front()->step_info().values()));
  return choices;
}

}  // namespace tutti::session
