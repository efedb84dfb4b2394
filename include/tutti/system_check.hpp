// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <tutti/error.hpp>
#include <tutti/export.hpp>
#include <tutti/fmu.hpp>
#include <tutti/system.hpp>
#include <vector>

namespace tutti {

/// The findings of a check of a system before it runs.
struct SystemReport {
  std::vector<Error> errors;  ///< the system cannot run
  std::vector<std::string> warnings, notes;
  std::size_t components = 0, connections = 0, cycles = 0;
  std::size_t lines = 0, delays = 0;  ///< transmission lines, delayed signals
  std::size_t actions = 0;            ///< timed
  std::size_t islands = 0;            ///< components that step together; 1 without lines and delays
};

/// All checks without loading FMUs and stepping: whether the FMUs exist, all values can be set, the
/// connections fit, and the methods can be used. @throws Error(interrupted)
TUTTI_API SystemReport check_system(const System& system, const FmuOptions& options = {});

}  // namespace tutti
