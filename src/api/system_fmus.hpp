// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <vector>

#include "api/system_models.hpp"
#include "fmi/fmu.hpp"

namespace tutti::api {

/// The FMU of each component, every file opened once, and none of them loaded. What cannot run on
/// this machine (no binary, clocks that are used) is added to `problems`, for all components.
/// @pre the descriptions have no gaps, and every component has its interface
std::vector<std::shared_ptr<fmi::Fmu>> open_fmus(const System& system, const SystemModels& models,
                                                 const FmuOptions& options,
                                                 system::Problems& problems, const Log& log);

}  // namespace tutti::api
