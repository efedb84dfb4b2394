// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "system/plan.hpp"

namespace tutti::system {

/// A value that a member of a cluster computes, and what it depends on.
struct ClusterRow {
  std::uint32_t member = 0;
  std::int32_t variable = -1;  ///< in the description of the member; -1: it has no name there
  /// Inputs of the member on which it depends directly; nothing: on all of them.
  std::optional<std::vector<std::int32_t>> inputs;
  /// Other dependencies, as numbers whose meaning the caller chooses.
  std::vector<std::uint32_t> leaves;
  /// Rows that depend on this one see this leaf instead of the dependencies of the row.
  std::optional<std::uint32_t> cut;
};

/// Number of an input of a member as a leaf; nothing: it does not count.
using InputLeaf =
    std::function<std::optional<std::uint32_t>(std::uint32_t member, std::int32_t variable)>;

/// By row, all leaves on which the value depends, directly and through connections; sorted.
/// An input that connections drive completely is no leaf. Nothing: the lists would be too long.
/// @param links the connections between members
std::optional<std::vector<std::vector<std::uint32_t>>> reach(
    std::span<const Link> links, std::span<const ModelDescription* const> models,
    std::span<const ClusterRow> rows, const InputLeaf& input_leaf);

}  // namespace tutti::system
