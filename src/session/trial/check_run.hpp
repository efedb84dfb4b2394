// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <tutti/check.hpp>

#include "base/codec.hpp"
#include "fmi/check/findings.hpp"

namespace tutti {
struct RunControl;
}

namespace tutti::session {

/// Runs each interface of the FMU, twice, in a worker: a crash or a hang is a finding.
/// @throws Error (file, archive; interrupted)
void check_by_running(const CheckOptions& options, fmi::Findings& findings);

/// The task of the worker.
struct CheckTask {
  std::filesystem::path fmu;
  std::optional<double> step;
};
/// In the worker: returns the findings.
Packer check_in_worker(const CheckTask& task, const RunControl& control, const FmuOptions& open);

/// The findings, as the worker sends them.
struct RunFinding {
  std::string rule, variable, text;
  std::optional<Error> error;  ///< its message ends the text
};

}  // namespace tutti::session

namespace tutti {

TUTTI_FIELDS(session::CheckTask, 2);
TUTTI_FIELDS(session::RunFinding, 4);

}  // namespace tutti
