// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system.hpp>
#include <vector>

#include "master/ensemble.hpp"
#include "results/recorder.hpp"

namespace tutti::session {

/// The recorded variables of one component.
struct RecordedSet {
  models::ValueSet values;  ///< layout only, without values
  const ModelDescription* description = nullptr;
};
std::vector<Column> recorded_columns(const System& system, std::span<const RecordedSet> sets);
/// @throws Error(usage) for a group without such a column
void check_groups(const System& system, std::span<const Column> columns);
/// The same columns, found in the instances.
std::vector<results::Recorder::Choice> recorded_places(const System& system,
                                                       std::span<const RecordedSet> sets,
                                                       const master::Ensemble& running);

}  // namespace tutti::session
