// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "formats/registry.hpp"
#include "formats/ssp/structure.hpp"

namespace tutti::formats::ssp {

/// A system of the tree: nested systems dissolve, their components keep their names with dots, and
/// connections through connectors of systems lead from component to component. Parameters are
/// applied to the variables that the FMUs have.
/// @param folder of the file, from which the system sees its FMUs
/// @throws Error(usage) with all that is wrong
System flatten(const Structure& structure, const std::filesystem::path& folder,
               const Surroundings& surroundings);

}  // namespace tutti::formats::ssp
