// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/instance.hpp"
#include "models/value_set.hpp"

namespace tutti::master {

/// New values of one variable while time runs: of all its scalars, or of some elements of an array.
struct Change {
  std::uint32_t component = 0;
  models::ValueSet values;             ///< of the variable
  std::vector<std::uint64_t> scalars;  ///< those of the set that change, each once

  std::int32_t variable() const { return values.variables().front(); }
  /// All new values of the variable; other elements keep their values in the instance.
  models::ValueSet values_in(models::Instance& instance) const;
};

/// Adds one to changes that take effect together: one per variable, with the latest values.
void add(std::vector<Change>& changes, const Change& change);

/// Changes at a time that is known beforehand.
struct Action {
  double time = 0;
  std::uint64_t count = 1;      ///< of System::actions that are due here
  std::string text;             ///< the assignments, for messages
  std::vector<Change> changes;  ///< one per variable
};

}  // namespace tutti::master
