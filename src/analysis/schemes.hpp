// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/advice.hpp>

#include "stability/scheme.hpp"

namespace tutti::analysis {

/// A coupling scheme: its settings in the system file, and its model for stability.
struct SchemeEntry {
  CouplingChoice choice;
  const char* name;
  stability::Scheme scheme;
  bool sweeps = false;              ///< solved by sweeps, which must converge
  bool follows_inputs = false;      ///< components must follow inputs inside a step
  bool output_derivatives = false;  ///< components must provide them
};

/// All compared schemes, in the order of the printed table.
std::span<const SchemeEntry> scheme_entries();

/// The names of components that lack something.
std::string names_without(bool LinearizedComponent::*ability,
                          std::span<const LinearizedComponent> components);
/// The capabilities that the components of a cycle lack for it; empty: none.
std::string missing_for(const SchemeEntry& entry, std::span<const LinearizedComponent> components);

/// The index in the table of the scheme of a system, or of an equivalent one; empty: not in the
/// table.
std::optional<std::size_t> find_scheme(CouplingChoice choice,
                                       std::span<const LinearizedComponent> components);

}  // namespace tutti::analysis
