// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string_view>
#include <tutti/model_description.hpp>

namespace tutti::system {

/// The base units of a unit that no FMU defines: symbols of the SI with prefixes, and common others
/// (h, deg, degC, bar, l, ...), in products and quotients as Modelica writes them: `N.m`, `m/s2`,
/// `J/(kg.K)`. Nothing: it is not known.
std::optional<Unit::Base> known_unit(std::string_view name);

}  // namespace tutti::system
