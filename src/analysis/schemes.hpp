// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <tutti/advice.hpp>

#include "stability/scheme.hpp"

namespace tutti::analysis {

/// A way to couple: what the system file calls it, and what it is for stability.
struct SchemeEntry {
  CouplingChoice choice;
  const char* name;
  stability::Scheme scheme;
  bool sweeps = false;              ///< solved by sweeps, which must converge
  bool follows_inputs = false;      ///< components must follow inputs inside a step
  bool output_derivatives = false;  ///< components must give them
};

/// All that are compared, in the order of the table that is shown.
std::span<const SchemeEntry> scheme_entries();

/// Who lacks something, by name.
std::string names_without(bool LinearizedComponent::*ability,
                          std::span<const LinearizedComponent> components);
/// What the components of a cycle lack for it; empty: nothing.
std::string missing_for(const SchemeEntry& entry, std::span<const LinearizedComponent> components);

/// Where in the table what a system asks for stands, or what comes to the same; nothing: it is not
/// among them.
std::optional<std::size_t> find_scheme(CouplingChoice choice,
                                       std::span<const LinearizedComponent> components);

}  // namespace tutti::analysis
