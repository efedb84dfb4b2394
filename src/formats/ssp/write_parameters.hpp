// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>
#include <utility>

namespace tutti::formats::ssp {

/// A new last child of an element.
pugi::xml_node append(pugi::xml_node parent, const char* name,
                      std::initializer_list<std::pair<const char*, std::string>> attributes = {});

/// The values of a component as a parameter binding of its own. @throws Error(usage)
void write_parameters(pugi::xml_node node, const Component& component,
                      const ModelDescription& model);

}  // namespace tutti::formats::ssp
