// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "models/input_table.hpp"
#include "models/value_set.hpp"

namespace tutti::models {

/// Signals from outside for one component.
struct ExternalSignals {
  std::uint32_t component = 0;
  std::unique_ptr<InputTable> table;
  std::unique_ptr<ValueSet> values;  ///< of the table's variables
  bool holds_end = false;            ///< over a step its value at the end holds
  bool is_followed = false;          ///< the component follows it inside a step
};

}  // namespace tutti::models
