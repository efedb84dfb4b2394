// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <vector>

#include "fmi/fmu.hpp"
#include "session/system_models.hpp"

namespace tutti::session {

/// The FMU of each component (null: it is a C++ class), every file opened once, and none of them
/// loaded. What cannot run on
/// this machine (no binary, clocks that are used) is added to `problems`, for all components.
/// @pre the descriptions have no gaps, and every component has its interface
std::vector<std::shared_ptr<fmi::Fmu>> open_fmus(const System& system, const SystemModels& models,
                                                 const FmuOptions& options,
                                                 system::Problems& problems, const Log& log);

}  // namespace tutti::session
