// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/system.hpp>

#include "formats/toml/keys.hpp"
#include "session/system_models.hpp"
#include "system/names.hpp"

namespace tutti::session {

/// The names of parts that system files may use.
formats::Words known_words();

/// Settings without sense, of systems that were not read from a file, too.
void check_supported(const System& system, system::Problems& problems);

/// A lone FMU does not have what its options ask for. @throws Error(capability)
void refuse_missing_interface(const System& system, const ModelDescription& fmu);
/// A component is to be run with events that its FMU does not have. @throws Error(capability)
void refuse_missing_events(const Component& given, const Capabilities& used);
/// Names, tolerances and options of the solvers of model-exchange components.
/// @throws Error(usage), or Error(capability) for a solver that cannot solve their equations
void check_solvers(const System& system, const SystemModels& models);

}  // namespace tutti::session
