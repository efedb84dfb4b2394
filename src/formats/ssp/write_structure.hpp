// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <initializer_list>
#include <memory>
#include <pugixml.hpp>
#include <string>
#include <tutti/log.hpp>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>
#include <utility>
#include <vector>

namespace tutti::formats::ssp {

using Models = std::vector<std::shared_ptr<const ModelDescription>>;  ///< by component

/// The text of a system structure description, with the paths of the system unchanged.
/// @param log gets what SSP 1.0 cannot represent exactly
/// @throws Error(usage) for a value or connection that does not fit its FMU
std::string structure_text(const System& system, const Models& models, const Log& log);

/// A relative path as a URI (RFC 3986).
std::string address_of(const std::filesystem::path& path);

/// A new last child of an element.
pugi::xml_node append(pugi::xml_node parent, const char* name,
                      std::initializer_list<std::pair<const char*, std::string>> attributes = {});

/// The values of a component as a parameter binding of its own. @throws Error(usage)
void write_parameters(pugi::xml_node node, const Component& component,
                      const ModelDescription& model);

}  // namespace tutti::formats::ssp
