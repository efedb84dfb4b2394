// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <tutti/check.hpp>

#include "fmi/check/findings.hpp"

namespace tutti::fmi {

/// Judges every rule that can be judged without running the FMU, and fills in what the report says
/// of the FMU. False: the FMU lacks so much that it cannot be run.
/// @throws Error if it cannot be read at all
bool judge(const std::filesystem::path& fmu, const FmuOptions& options, Findings& findings,
           CheckReport& report);

}  // namespace tutti::fmi
