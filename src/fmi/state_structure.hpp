// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <tutti/ode.hpp>
#include <vector>

namespace tutti::fmi {

/// What is known of the equations of several FMUs that are solved together, and no model
/// description has.
struct StateStructure {
  std::vector<std::string> names;  ///< by state
  SparsityPattern pattern;         ///< of the Jacobian; no columns: it is full
  bool has_derivatives = false;    ///< differentiate_states() can be called
  /// 1: an algebraic unknown; its "derivative" is the residual of its equation. Empty: there are
  /// none.
  std::vector<std::uint8_t> algebraic;
};

}  // namespace tutti::fmi
