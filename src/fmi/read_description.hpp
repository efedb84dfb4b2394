// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <tutti/fmu.hpp>

#include "fmi/archive.hpp"

namespace tutti::fmi {

/// The description, and the terminals of 3.0, from an archive that is already open. `fmu` names it
/// in messages.
ModelDescription read_description(const Archive& archive, const std::filesystem::path& fmu,
                                  const FmuOptions& options, const Log& log);

}  // namespace tutti::fmi
