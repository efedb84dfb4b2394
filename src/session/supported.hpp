// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system.hpp>

#include "formats/toml/keys.hpp"
#include "session/system_models.hpp"
#include "system/names.hpp"

namespace tutti::session {

/// The names of parts that system files may use.
formats::Words known_words();

/// Checks for invalid settings, also in systems that were not read from a file.
void check_supported(const System& system, system::Problems& problems);

/// Checks that a lone FMU supports its options. @throws Error(capability)
void refuse_missing_interface(const System& system, const ModelDescription& fmu);
/// Checks that the FMU of a component supports the requested events. @throws Error(capability)
void refuse_missing_events(const Component& given, const Capabilities& used);
/// Checks names, tolerances and options of the solvers of model-exchange components.
/// @throws Error(usage), or Error(capability) for a solver that cannot solve their equations
void check_solvers(const System& system, const SystemModels& models);

}  // namespace tutti::session
