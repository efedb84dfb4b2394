// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <set>
#include <span>
#include <string>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>
#include <utility>
#include <vector>

#include "system/names.hpp"

namespace tutti::system {

/// Connections that expand to several: "plant -> controller" and "a.* -> b.*" join equal names,
/// "a.out_* -> b.in_*" replaces the star on the right by the text that the star on the left
/// matches. The system keeps them as written; a plan expands them.
///
/// @pre system and descriptions, one for each component, stay where they are
class ConnectionPatterns {
 public:
  ConnectionPatterns(const System& system, std::span<const ModelDescription* const> descriptions)
      : system_(system), descriptions_(descriptions), names_(system) {}

  /// A star that is part of a variable's name is not a pattern.
  bool is_pattern(const Connection& connection) const;
  /// The connections to which a pattern expands, in the order of the outputs. An input that the
  /// system drives by its name keeps that source: no connection leads there.
  /// @throws Error(usage) if no output has an input
  std::vector<Connection> expand(const Connection& pattern);

 private:
  const ModelDescription& model(const Endpoint& end) const;
  bool stands_for_several(const Endpoint& end) const;
  std::set<const Variable*> inputs_named(const std::string& component) const;

  const System& system_;
  std::span<const ModelDescription* const> descriptions_;
  ComponentNames names_;
  std::string named_component_;  ///< whose inputs these are:
  std::set<const Variable*> named_;
};

/// All connections of a system, patterns expanded. @throws Error(usage) as expand() does
std::vector<Connection> expanded_connections(const System& system,
                                             std::span<const ModelDescription* const> descriptions);

}  // namespace tutti::system
