// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/check.hpp>

#include "fmi/check/findings.hpp"

namespace tutti::api {

/// Runs each interface of the FMU, twice, in child processes: a crash or a hang is a finding.
/// @pre this process has one thread
/// @throws Error (file, archive; interrupted)
void check_by_running(const CheckOptions& options, fmi::Findings& findings);

}  // namespace tutti::api
