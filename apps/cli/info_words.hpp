// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <tutti/model_description.hpp>
#include <utility>
#include <vector>

namespace tutti::cli {

/// The flags of an interface by their names in the FMI standard.
std::vector<std::pair<std::string_view, bool>> capability_flags(const Capabilities& can);

/// "Real", "Integer" in FMI 1.0 and 2.0, "Float64", "Int32" in 3.0.
std::string_view type_word(FmiVersion version, Type type);

/// For example "[3, n]", where n is a structural parameter; "" for a scalar.
std::string dimensions_text(const ModelDescription& description, const Variable& variable);

/// A unit in SI base units: "kg.m2/s2", with factor and offset if any.
std::string base_unit_text(const Unit::Base& base);

/// The interfaces of an FMU, with the names of their elements in FMI 3.0.
std::vector<std::pair<std::string_view, const Capabilities*>> interfaces(
    const ModelDescription& description);

}  // namespace tutti::cli
