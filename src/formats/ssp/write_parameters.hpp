// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <pugixml.hpp>
#include <tutti/model_description.hpp>
#include <tutti/system.hpp>

namespace tutti::formats::ssp {

/// The values of a component as a parameter binding of its own. @throws Error(usage)
void write_parameters(pugi::xml_node node, const Component& component,
                      const ModelDescription& model);

}  // namespace tutti::formats::ssp
