// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <tutti/error.hpp>
#include <tutti/system.hpp>
#include <unordered_map>

namespace tutti::system {

/// Finds components by name. @pre the components stay where they are
class ComponentNames {
 public:
  explicit ComponentNames(const System& system);

  /// Index of the component; -1 if there is none of this name.
  std::int32_t find(std::string_view name) const;
  /// Component and variable of `component.variable`. Both may have dots in their names: the longest
  /// component name that fits wins. An empty component: none fits.
  Endpoint split(std::string_view text) const;
  /// The same. @throws Error(usage) that says which component is meant, perhaps
  Endpoint resolve(std::string_view text) const;
  /// `there is no component "chasis". Did you mean "chassis"?`
  Error unknown(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, std::int32_t> index_;
  std::string_view lone_;  ///< the only component, if variables are named without it
};

}  // namespace tutti::system
